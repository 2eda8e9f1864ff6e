import { extract, type ExtractEvents, type Header } from "tar-stream";

/** An entry of an archive. */
export interface Entry {
  name: string;
  type: "file" | "folder" | "link" | "other";
  /** Of a link: what it leads to. */
  target: string;
  size: number;
}

/** Takes an entry; answers what is to be done with its content once it is read, or undefined to pass over it. */
export type TakeEntry = (entry: Entry) => ((content: Buffer) => void) | undefined;

/** Old archives say no format; what is none at all fails by its check sums. */
const OPTIONS = { highWaterMark: 256 * 1024, allowUnknownFormat: true };

/** Reads an archive entry by entry, never more of it in memory than one file. Throws when it is broken, and what `take` throws. */
export async function readArchive(bytes: AsyncIterable<Buffer>, take: TakeEntry): Promise<void> {
  const archive = extract(OPTIONS);
  const state: { failure: unknown; isOver: boolean; wake: () => void } = { failure: undefined, isOver: false, wake: () => undefined };
  archive.on("error", (error: unknown) => (state.failure ??= error));
  archive.on("drain", () => state.wake());
  for (const event of ["finish", "close"]) {
    archive.on(event, () => {
      state.isOver = true;
      state.wake();
    });
  }
  archive.on("entry", (headers, content, next) => {
    // Whatever is wrong is told of the archive itself as well.
    content.on("error", () => undefined);
    try {
      takeContent(take(entryOf(headers)), content, next);
    } catch (error) {
      next(asError(error));
    }
  });
  const woken = (): Promise<void> =>
    new Promise((resolve) => {
      state.wake = resolve;
      if (state.isOver) resolve();
    });
  try {
    for await (const chunk of bytes) {
      if (state.failure !== undefined) break;
      if (!archive.write(chunk)) await woken();
    }
    if (state.failure === undefined) {
      archive.end(null);
      await woken();
    }
    if (state.failure !== undefined) throw state.failure;
  } finally {
    archive.destroy(null);
  }
}

type Content = ExtractEvents["entry"][1];

function takeContent(use: ((content: Buffer) => void) | undefined, content: Content, next: ExtractEvents["entry"][2]): void {
  const parts: Buffer[] = [];
  if (use !== undefined) content.on("data", (part) => parts.push(part as Buffer));
  content.on("end", () => {
    try {
      use?.(Buffer.concat(parts));
      next(null);
    } catch (error) {
      next(asError(error));
    }
  });
  content.resume();
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

function entryOf({ name, type, linkname, size }: Header): Entry {
  const kind =
    type === "file" || type === "contiguous-file" ? "file" : type === "directory" ? "folder" : type === "link" ? "link" : "other";
  return { name, type: kind, target: linkname, size };
}
