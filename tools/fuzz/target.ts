/** A parser of what comes from outside, and what it may do with any input. */
export interface Target {
  name: string;
  /** What it reads. */
  reads: string;
  /** Reads an input and checks what must hold of the result; throws what is not allowed, too. */
  run(input: Buffer): void | Promise<void>;
  /** Whether an error says that the input is bad. Every other error is a finding. */
  isRefusal?(error: unknown): boolean;
  maxBytes: number;
  /** How much processor time an input may take. */
  maxMs: number;
}

/** What an input does that it must not; undefined when all is well. */
export async function fault(target: Target, input: Buffer): Promise<unknown> {
  try {
    const running = target.run(Buffer.from(input));
    if (running instanceof Promise) await running;
    return undefined;
  } catch (error) {
    return target.isRefusal?.(error) === true ? undefined : error;
  }
}

/** The least processor time of three runs: the machine may be busy with other things. */
export async function processorMs(target: Target, input: Buffer): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < 3; run += 1) {
    const before = process.threadCpuUsage();
    await fault(target, input);
    const { user, system } = process.threadCpuUsage(before);
    times.push((user + system) / 1000);
  }
  return Math.min(...times);
}
