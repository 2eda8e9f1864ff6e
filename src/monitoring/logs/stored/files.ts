import { open, readFile, truncate, writeFile } from "node:fs/promises";
import { openChunk, readHeads, type SealedChunk } from "./chunk.ts";

/** So many bytes of a file, fewer where it ends before; undefined when the file is not there. */
export async function readAt(path: string, { offset, bytes }: { offset: number; bytes: number }): Promise<Buffer | undefined> {
  const file = await nothingWhenMissing(open(path));
  if (file === undefined) return undefined;
  try {
    const buffer = Buffer.allocUnsafe(bytes);
    let filled = 0;
    for (let read = -1; read !== 0 && filled < bytes; filled += read)
      ({ bytesRead: read } = await file.read(buffer, filled, bytes - filled, offset + filled));
    return buffer.subarray(0, filled);
  } finally {
    await file.close();
  }
}

/** Chunks up to the first that is not whole; what follows is cut off. None of a file that is not there. */
export async function recover(path: string): Promise<{ chunks: SealedChunk[]; bytes: number; torn: number }> {
  const file = (await nothingWhenMissing(readFile(path))) ?? Buffer.alloc(0);
  const chunks = readHeads(file).map((head) => openChunk(file, head));
  // A chunk is flushed before the next one is written: only the last can be torn.
  const whole = chunks.at(-1)?.isWhole() === false ? chunks.slice(0, -1) : chunks;
  const bytes = whole.reduce((sum, { head }) => sum + head.bytes, 0);
  if (bytes < file.length) await truncate(path, bytes);
  return { chunks: whole, bytes, torn: file.length - bytes };
}

/** Writes a chunk at that place of the file, which then ends with it. Throws unless all of it is written. */
export async function writeAt(path: string, at: number, bytes: Uint8Array, { isSynced }: { isSynced: boolean }): Promise<void> {
  const file = await open(path, at === 0 ? "w" : "r+", 0o600);
  try {
    // A disk with little room takes a part; the next write then says that it is full.
    for (let written = 0; written < bytes.length;)
      written += (await file.write(bytes, written, bytes.length - written, at + written)).bytesWritten;
    // An attempt that failed may have left more.
    await file.truncate(at + bytes.length);
    if (isSynced) await file.sync();
  } finally {
    await file.close();
  }
}

/** undefined when the file is not there. */
async function nothingWhenMissing<Result>(asked: Promise<Result>): Promise<Result | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

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
