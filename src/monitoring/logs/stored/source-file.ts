import { readFile, writeFile } from "node:fs/promises";
import { nothingWhenMissing } from "./files.ts";

/** Which container the newest lines of a stored log are of: another may have taken the place of the one before. */
export class SourceFile {
  readonly #path: string;
  #name: string | undefined;
  #written: string | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  async open(): Promise<void> {
    this.#written = await nothingWhenMissing(readFile(this.#path, "utf8"));
    this.#name = this.#written;
  }

  get(): string | undefined {
    return this.#name;
  }

  set(name: string): void {
    this.#name = name;
  }

  /** To be called once its lines are written: after a crash they would else be missing. */
  async write(): Promise<void> {
    const name = this.#name;
    if (name === undefined || name === this.#written) return;
    await writeFile(this.#path, name, { mode: 0o600 });
    this.#written = name;
  }
}
