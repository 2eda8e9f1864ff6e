import type { ValueType } from "./value-types.ts";

/** One option of the program. */
export interface Option<Value = unknown> {
  flag: `--${string}`;
  /** The variable without its prefix. */
  env: string;
  type: ValueType<Value>;
  /** Parsed as if it had been given. */
  default?: string;
  /** What holds when nothing is given and there is no fixed default. */
  otherwise?: string;
  help: string;
}
