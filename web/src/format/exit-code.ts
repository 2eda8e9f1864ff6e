const REASONS: Readonly<Record<number, string>> = {
  125: "runtime could not start it",
  126: "command not executable",
  127: "command not found",
};

const SIGNALS: Readonly<Record<number, string>> = {
  1: "hung up (SIGHUP)",
  2: "interrupted (SIGINT)",
  3: "quit (SIGQUIT)",
  4: "illegal instruction (SIGILL)",
  6: "aborted (SIGABRT)",
  7: "bus error (SIGBUS)",
  8: "floating-point exception (SIGFPE)",
  9: "killed (SIGKILL)",
  11: "segmentation fault (SIGSEGV)",
  13: "broken pipe (SIGPIPE)",
  15: "terminated (SIGTERM)",
  24: "CPU time limit exceeded (SIGXCPU)",
  31: "bad system call (SIGSYS)",
};

/** Why a process ended, as far as its exit code shows it; undefined when the code is the program's own. Source: POSIX shells, 128 + signal. */
export function explainExitCode(code: number): string | undefined {
  if (code > 128 && code < 128 + 65) return SIGNALS[code - 128] ?? `killed by signal ${code - 128}`;
  return REASONS[code];
}
