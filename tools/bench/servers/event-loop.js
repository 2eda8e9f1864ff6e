// Loaded before a program: answers every message with how long the event loop was held up at most since the last one.
import { monitorEventLoopDelay } from "node:perf_hooks";

const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
process.on("message", () => {
  process.send?.({ longestMs: delay.max / 1e6 });
  delay.reset();
});
// It must not keep the program from ending.
process.channel?.unref();
