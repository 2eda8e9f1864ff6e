import type { LogLine } from "../runtime.ts";

type Stream = LogLine["stream"];

/** Bytes of one stream; `begins` marks the first bytes of one message of the log driver. */
export interface LogPiece {
  stream: Stream;
  bytes: Buffer;
  begins: boolean;
}

const HEADER_BYTES = 8;

/**
 * Takes the multiplexed log stream of a container without a terminal apart: frames of an eight byte header (stream, three zeros,
 * length) and a payload. Frames may be cut anywhere; payloads are handed on as they come, so that none is held as a whole.
 * Throws when the bytes are no frames. Source: Docker Engine API, "Stream format" of the attach endpoint.
 */
export function createFrameSplitter(): (chunk: Buffer) => LogPiece[] {
  let header = Buffer.alloc(0);
  let stream: Stream = "stdout";
  let remaining = 0;
  let begins = false;

  return (chunk) => {
    const pieces: LogPiece[] = [];
    let offset = 0;
    while (offset < chunk.length) {
      if (remaining === 0) {
        const part = chunk.subarray(offset, offset + HEADER_BYTES - header.length);
        header = Buffer.concat([header, part]);
        offset += part.length;
        if (header.length < HEADER_BYTES) break;
        stream = streamOf(header);
        remaining = header.readUInt32BE(4);
        header = Buffer.alloc(0);
        begins = true;
        continue;
      }
      const bytes = chunk.subarray(offset, offset + remaining);
      pieces.push({ stream, bytes, begins });
      offset += bytes.length;
      remaining -= bytes.length;
      begins = false;
    }
    return pieces;
  };
}

function streamOf(header: Buffer): Stream {
  const [kind, ...zeros] = header.subarray(0, 4);
  if (kind === undefined || kind > 2 || zeros.some((byte) => byte !== 0))
    throw new RangeError("the log is not in the engine's frame format");
  return kind === 2 ? "stderr" : "stdout";
}
