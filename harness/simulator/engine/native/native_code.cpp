#include "harness/simulator/engine/native/native_code.h"

#include <cstddef>
#include <exception>
#include <utility>

#include "harness/simulator/engine/machine/control_operations.h"
#include "harness/simulator/engine/native/templates.h"
#include "harness/simulator/engine/operations/operations.h"

namespace warpmark::simulator::native {
namespace {

// State of one call of generated machine code: the pc at which it returns to the interpreter, and the
// exception that an instruction handler has thrown. Its address is on top of the machine stack.
struct Frame {
  std::uint32_t rejoin;
  std::exception_ptr failure;
};

// Calls an instruction's handler from native code. Catches exceptions, because native code has no unwind
// tables.
void call_handler(Context* context, const Instruction* instruction, Frame* frame) noexcept {
  try {
    const std::uint32_t mask = context->mask;
    if (instruction->guard != kNoOperand) {
      const std::uint32_t guard = *context->read<std::uint32_t>(instruction->guard);
      context->mask = mask & (instruction->guard_negated ? ~guard : guard);
    }
    if (context->mask != 0) instruction->handler(*context, *instruction);
    context->mask = mask;
  } catch (...) {
    frame->failure = std::current_exception();
    context->event = ControlEvent::stop;
  }
}

void turn_is_over(Context* context, const Instruction* instruction, Frame* /*frame*/) noexcept {
  context->pc = instruction->target;
  control::sleep(*context, *instruction);
}

using Entry = std::uint64_t (*)(Context*, const std::byte* code, std::uint64_t executed, Frame*);

bool is_jump(const Instruction& i) {
  return i.handler == control::jump || i.handler == control::jump_back;
}
bool is_branch(const Instruction& i) {
  return i.handler == control::branch || i.handler == control::branch_back;
}
bool is_end(const Instruction& i) {
  return i.handler == control::exit_lanes || i.handler == control::function_return;
}

// Flags per pc of the compiled program. begins: a basic block starts there; meets: diverged lanes may
// reconverge there.
struct Places {
  std::vector<bool> begins, meets;

  explicit Places(const std::vector<Instruction>& code) : begins(code.size() + 1), meets(code.size() + 1) {
    for (std::size_t pc = 0; pc < code.size(); ++pc) {
      const Instruction& i = code[pc];
      if (is_jump(i) || is_branch(i)) begins[i.target] = true;
      if (is_branch(i) && i.rejoin != kNowhere) meets[i.rejoin] = true;
      if (i.handler == control::call_indirect || i.handler == control::collective) meets[pc + 1] = true;
    }
    for (std::size_t pc = 0; pc < code.size(); ++pc) begins[pc] = begins[pc] || meets[pc];
  }
};

class Compiler {
 public:
  Compiler(const Program& program, const Places& places, bool masked)
      : code_(program.code),
        places_(places),
        emitter_(std::make_shared<Emitter>(masked)),
        e_(*emitter_),
        labels_(code_.size() + 1) {
    enter();
    for (std::uint32_t pc = 0; pc < code_.size(); ++pc) write(pc);
    write_rare();
    e_.L(leave_);
    leave();
    e_.ready(Emitter::PROTECT_RW);
  }

  // Makes the generated code executable and read-only, and returns it; null if the operating system refuses.
  std::shared_ptr<const std::byte> code() {
    if (!e_.setProtectModeRE(false)) return nullptr;
    return {emitter_, reinterpret_cast<const std::byte*>(e_.getCode())};
  }
  std::vector<std::uint32_t> begins, uncounted;

 private:
  // Generated code for a rare case of a PTX instruction (handler call, exit, ...), emitted after all other
  // code to keep the common path compact.
  struct Rare {
    enum class Kind : std::uint8_t { handler, exit, turn, rejoin, diverge, entry };
    Kind kind;
    std::uint32_t pc;
    std::uint32_t executed;  // number of executed instructions to add to the counter kExecuted
    Label from;
    Label back;
    KeptRows kept;  // copies of rows that the code at `back` expects in registers
  };

  void enter() {
    for (const auto& each : {rbx, rbp, r12, r13, r14, r15}) e_.push(each);
    e_.push(rcx);  // saves the Frame pointer that handler calls need; also aligns the stack
    e_.mov(kContext, rdi);
    e_.mov(kExecuted, rdx);
    std::size_t number = 0;
    for (const auto& each : {rbx, rbp, r14, r15})
      e_.mov(each, ptr[in_context(&Context::bases) + 8 * number++]);
    if (e_.masked()) e_.load_masks();
    e_.jmp(rsi);
  }
  void leave() {
    e_.vzeroupper();
    e_.mov(rax, kExecuted);
    e_.pop(rcx);
    for (const auto& each : {r15, r14, r13, r12, rbp, rbx}) e_.pop(each);
    e_.ret();
  }

  Label& rare(Rare::Kind kind, std::uint32_t pc) {
    rare_.push_back(std::make_unique<Rare>(Rare{kind, pc, since_, {}, {}, {}}));
    return rare_.back()->from;
  }
  void count(std::uint32_t executed) {
    if (executed != 0) e_.add(kExecuted, executed);
  }

  void write(std::uint32_t pc) {
    const Instruction& i = code_[pc];
    if (places_.begins[pc]) {
      count(since_);
      since_ = 0;
      e_.kept().forget_all();
      e_.L(labels_[pc]);
    }
    begins.push_back(static_cast<std::uint32_t>(e_.getSize()));
    if (!e_.kept().empty()) {
      rare(Rare::Kind::entry, pc);
      rare_.back()->kept = e_.kept();
      e_.L(rare_.back()->back);
    }
    uncounted.push_back(since_);
    if (places_.meets[pc]) {
      e_.mov(rax, ptr[rsp]);
      e_.cmp(dword[rax + offsetof(Frame, rejoin)], pc);
      e_.jz(rare(Rare::Kind::rejoin, pc));
    }
    ++since_;
    if (i.guard == kNoOperand && is_jump(i)) return jump(pc);
    if (i.guard == kNoOperand && is_branch(i)) return branch(pc);
    if (i.handler == control::nothing) return;
    const auto known = templates().find(i.handler);
    if (i.guard == kNoOperand && known != templates().end()) {
      Label& otherwise = rare(Rare::Kind::handler, pc);
      Rare& slow = *rare_.back();
      known->second(e_, i, otherwise);
      slow.kept = e_.kept();
      e_.L(slow.back);
      return;
    }
    call(pc);
    if (is_end(i)) {
      e_.jmp(rare(Rare::Kind::exit, pc));
      since_ = 0;
      return;
    }
    e_.cmp(byte[in_context(&Context::event)], static_cast<std::uint8_t>(ControlEvent::none));
    e_.jnz(rare(Rare::Kind::exit, pc));
  }

  void call(std::uint32_t pc) {
    e_.mov(dword[in_context(&Context::pc)], pc + 1);
    call_with(pc, reinterpret_cast<std::uint64_t>(&call_handler));
    if (e_.masked()) e_.load_masks();
    e_.kept().forget_all();
  }
  void call_with(std::uint32_t pc, std::uint64_t function) {
    e_.vzeroupper();
    e_.mov(rdi, kContext);
    e_.mov(rsi, reinterpret_cast<std::uint64_t>(&code_[pc]));
    e_.mov(rdx, ptr[rsp]);
    e_.mov(rax, function);
    e_.call(rax);
  }

  // Emits code that updates the count of executed instructions and jumps to `pc`.
  void jump(std::uint32_t pc) {
    count(std::exchange(since_, 0));
    go(pc);
  }
  void go(std::uint32_t pc) {
    const Instruction& i = code_[pc];
    if (i.handler == control::jump_back || i.handler == control::branch_back) {
      e_.dec(dword[in_context(&Context::back_branches_left)]);
      e_.jz(rare(Rare::Kind::turn, pc));
    }
    e_.jmp(labels_[i.target]);
  }
  void branch(std::uint32_t pc) {
    const Instruction& i = code_[pc];
    count(std::exchange(since_, 0));
    Label past;
    e_.mov(eax, Emitter::memory_of(i.operands[0]));
    if (i.detail != 0) e_.not_(eax);
    if (e_.masked()) {
      e_.mov(ecx, ptr[in_context(&Context::mask)]);
      e_.and_(eax, ecx);
    }
    e_.test(eax, eax);
    e_.jz(past);
    if (e_.masked())
      e_.cmp(eax, ecx);
    else
      e_.cmp(eax, 0xFFFFFFFF);
    e_.jnz(rare(Rare::Kind::diverge, pc));
    go(pc);
    e_.L(past);
  }

  void write_rare() {
    // Emitting the code of a rare case appends none to rare_, so that the iterators stay valid.
    for (const auto& each : rare_) {
      e_.L(each->from);
      switch (each->kind) {
        case Rare::Kind::handler: {
          call(each->pc);
          e_.cmp(byte[in_context(&Context::event)], static_cast<std::uint8_t>(ControlEvent::none));
          Label event;
          e_.jnz(event);
          e_.load(each->kept);
          e_.jmp(each->back);
          e_.L(event);
          count(each->executed);
          break;
        }
        case Rare::Kind::entry:
          begins[each->pc] = static_cast<std::uint32_t>(e_.getSize());
          e_.load(each->kept);
          e_.jmp(each->back);
          continue;
        case Rare::Kind::exit:
          count(each->executed);
          break;
        case Rare::Kind::turn:
          call_with(each->pc, reinterpret_cast<std::uint64_t>(&turn_is_over));
          break;
        case Rare::Kind::rejoin:
          count(each->executed);
          e_.mov(dword[in_context(&Context::pc)], each->pc);
          break;
        case Rare::Kind::diverge:
          e_.mov(dword[in_context(&Context::pc)], each->pc + 1);
          call_with(each->pc, reinterpret_cast<std::uint64_t>(&call_handler));
          break;
      }
      e_.jmp(leave_);
    }
  }

  const std::vector<Instruction>& code_;
  const Places& places_;
  std::shared_ptr<Emitter> emitter_;
  Emitter& e_;
  std::vector<Label> labels_;
  Label leave_;
  std::vector<std::unique_ptr<Rare>> rare_;
  // number of PTX instructions compiled since the last update of kExecuted was emitted
  std::uint32_t since_ = 0;
};

}  // namespace

std::unique_ptr<NativeCode> NativeCode::of(const Program& program) {
  if (!runs_here(simulator::Variant::avx512) || program.code.empty()) return nullptr;
  std::unique_ptr<NativeCode> native(new NativeCode);
  const Places places(program.code);
  for (const bool masked : {false, true}) {
    Compiler compiler(program, places, masked);
    Variant& variant = native->variants_[masked ? 1 : 0];
    variant.code = compiler.code();
    if (variant.code == nullptr) return nullptr;
    variant.begins = std::move(compiler.begins);
    native->uncounted_ = std::move(compiler.uncounted);
  }
  return native;
}

std::uint64_t NativeCode::run(Context& context, std::uint32_t rejoin) const {
  const Variant& variant = variants_[context.mask == kAllLanes ? 0 : 1];
  Frame frame{rejoin, nullptr};
  const auto enter = reinterpret_cast<Entry>(reinterpret_cast<std::uintptr_t>(variant.code.get()));
  const std::uint64_t executed = enter(&context, variant.code.get() + variant.begins[context.pc],
                                       std::uint64_t{0} - uncounted_[context.pc], &frame);
  if (frame.failure) std::rethrow_exception(frame.failure);
  return executed;
}

}  // namespace warpmark::simulator::native
