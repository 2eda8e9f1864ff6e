import { inspect } from "node:util";
import { MASK } from "../platform/secrets.ts";

/** Text that must not be shown: however it is printed it reads `***`, and only {@link Secret.reveal} gives it away. */
export class Secret {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
    Object.freeze(this);
  }

  reveal(): string {
    return this.#text;
  }

  toString(): string {
    return MASK;
  }

  toJSON(): string {
    return MASK;
  }

  [inspect.custom](): string {
    return MASK;
  }
}
