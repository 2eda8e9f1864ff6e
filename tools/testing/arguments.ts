import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";

/** What `npm test -- ...` asks for. */
export interface Arguments {
  /** Parts of paths of test files; all when empty. */
  patterns: string[];
  /** Only what changes since this commit can reach; undefined: everything. */
  changedSince: string | undefined;
  /** How often each file runs. */
  repeat: number;
  /** Long repetitions on real parts as well. */
  long: boolean;
  lanes: number;
}

/** Two lanes more than processors, since stories wait for containers, browsers and time: with one more, a seventh of the processors' time is idle. */
const LANES = availableParallelism() + 2;

/** Reads the command line; throws an Error with a sentence for what it does not understand. */
export function readArguments(args: readonly string[]): Arguments {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      changed: { type: "boolean", default: false },
      since: { type: "string" },
      repeat: { type: "string", default: "1" },
      long: { type: "boolean", default: false },
      lanes: { type: "string", default: String(LANES) },
    },
  });
  return {
    patterns: positionals,
    changedSince: values.since ?? (values.changed ? "HEAD" : undefined),
    repeat: countOf("repeat", values.repeat),
    long: values.long,
    lanes: countOf("lanes", values.lanes),
  };
}

function countOf(name: string, text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1 || count > 1000)
    throw new Error(`--${name} takes a whole number from 1 to 1000, not "${text}"`);
  return count;
}
