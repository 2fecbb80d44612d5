// Functions of CUDA's math library that the C++ standard library lacks. Computed in double, accurate to a few
// units in the last place.
#pragma once

namespace warpmark::simulator {

double rsqrt(double x);
double rcbrt(double x);
double rhypot(double x, double y);
double norm3d(double x, double y, double z);
double rnorm3d(double x, double y, double z);
double norm4d(double x, double y, double z, double w);
double rnorm4d(double x, double y, double z, double w);
double sinpi(double x);
double cospi(double x);
double exp10(double x);
double erfcx(double x);    // scaled complementary error function exp(x * x) * erfc(x)
double erfinv(double y);   // inverse of erf; domain ]-1, 1[
double erfcinv(double y);  // inverse of erfc; domain ]0, 2[
double normcdf(double x);
double normcdfinv(double p);
double cyl_bessel_i0(double x);
double cyl_bessel_i1(double x);
double frexp_fraction(double x);
int frexp_exponent(double x);
// sign and low-order bits of the integer quotient x / y, as std::remquo returns
int remquo_bits(double x, double y);

}  // namespace warpmark::simulator
