This is no version and does not compile. Nobody asked for it.
