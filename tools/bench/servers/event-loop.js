// Loaded before a program: answers every message with how long its event loop was held up at most since the last one, by the clock and in CPU time of its
// thread, which neighbours on the machine do not lengthen.
const EVERY_MS = 10;
const cpuNow = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

let [lastMs, lastCpuMs] = [performance.now(), cpuNow()];
let longest = { ms: 0, cpuMs: 0 };

setInterval(() => {
  const [nowMs, nowCpuMs] = [performance.now(), cpuNow()];
  // What comes before it is due is no hold-up.
  const ms = nowMs - lastMs - EVERY_MS;
  longest = { ms: Math.max(longest.ms, ms), cpuMs: Math.max(longest.cpuMs, Math.min(ms, nowCpuMs - lastCpuMs)) };
  [lastMs, lastCpuMs] = [nowMs, nowCpuMs];
}, EVERY_MS).unref();
process.on("message", () => {
  process.send?.(longest);
  longest = { ms: 0, cpuMs: 0 };
});
// It must not keep the program from ending.
process.channel?.unref();
