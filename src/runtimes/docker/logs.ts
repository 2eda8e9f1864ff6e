import { type Clock, pause } from "../../platform/clock.ts";
import { ServiceError, isServiceError } from "../../platform/errors.ts";
import type { LogBatch, LogLine, LogOptions } from "../runtime.ts";
import type { EngineClient } from "./client.ts";
import { sinceParameter } from "./event.ts";
import { connectionFailure } from "./failures.ts";
import { createLineAssembler } from "../log-lines.ts";
import { containerAnswer } from "./schemas.ts";

/** Between two reads of a followed log; less while each brings more than this. A socket holds 27 kB of short lines. */
const LONGEST_PAUSE_MS = 50;
const READ_BYTES = 16 * 1024;

/** Reads a container's log, with a terminal or without, as slowly as it is consumed. */
export async function* readLogs(
  { client, clock }: { client: EngineClient; clock: Clock },
  id: string,
  { tail, since, follow, signal }: LogOptions,
): AsyncGenerator<LogBatch> {
  const ending = new AbortController();
  const ended = AbortSignal.any([signal, ending.signal]);
  try {
    const { Config, HostConfig } = await client.json(containerAnswer, { route: "container", id }, ended);
    refuseUnreadable(HostConfig?.LogConfig?.Type ?? "");
    const form = { terminal: Config.Tty, joinsFrames: client.product.podmanVersion !== null };
    async function* read(part: { tail: string; since: Date | undefined; follow: boolean }): AsyncGenerator<LogBatch> {
      const query = {
        ...{ stdout: "1", stderr: "1", timestamps: "1", follow: part.follow ? "1" : "0", tail: part.tail },
        ...(part.since !== undefined && { since: sinceParameter(part.since) }),
      };
      // Some versions of Podman begin their answer with the first line, so a followed log may be silent for long.
      const body = await client.stream({ route: "logs", id, query }, { signal: ended, ...(part.follow && { timeoutMs: 0 }) });
      const chunks = body as AsyncIterable<Buffer>;
      yield* assembleLines(part.follow ? unhurried(chunks, clock, ended) : chunks, form);
    }
    if (!follow) return yield* read({ tail: String(tail), since, follow });
    const end = createEnd();
    for await (const batch of read({ tail: String(tail), since, follow })) {
      end.add(batch);
      yield batch;
    }
    // When a container ends, the engine may end its answer before a slow reader has the last lines.
    const part = end.atMs === undefined ? { tail: String(tail), since } : { tail: "all", since: new Date(end.atMs) };
    try {
      for await (const batch of read({ ...part, follow: false })) {
        const rest = end.behind(batch);
        if (rest.length > 0) yield rest;
      }
    } catch (error) {
      // It ended because it was removed, and its log with it.
      if (!isServiceError(error, "not_found")) throw error;
    }
  } catch (error) {
    if (signal.aborted) return;
    throw isServiceError(error) ? error : connectionFailure(client.address, error);
  } finally {
    ending.abort();
  }
}

/** How far a log was read, so that it can be read on from there. */
function createEnd() {
  let atMs: number | undefined;
  /** The lines of that millisecond that were read. */
  let lines = 0;
  return {
    get atMs() {
      return atMs;
    },
    add(batch: LogBatch): void {
      for (const { timestamp } of batch) {
        const ms = timestamp?.getTime();
        if (ms === undefined || ms < (atMs ?? ms)) continue;
        lines = ms === atMs ? lines + 1 : 1;
        atMs = ms;
      }
    },
    /** The lines that were not read, of a log that begins with that millisecond. */
    behind(batch: LogBatch): LogBatch {
      return batch.filter(({ timestamp }) => {
        if (lines === 0 || timestamp?.getTime() !== atMs) return true;
        lines -= 1;
        return false;
      });
    },
  };
}

/** What comes a line at a time costs as much a line as a hundred lines do, so it is left to gather: as long as a read brings no more than it should. */
async function* unhurried(chunks: AsyncIterable<Buffer>, clock: Clock, signal: AbortSignal): AsyncGenerator<Buffer> {
  let pauseMs = LONGEST_PAUSE_MS;
  for await (const chunk of chunks) {
    yield chunk;
    if (chunk.length > READ_BYTES) pauseMs = Math.max(pauseMs / 2, 0.5);
    else if (chunk.length < READ_BYTES / 2) pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    if (pauseMs >= 1) await pause(clock, pauseMs, signal);
  }
}

async function* assembleLines(
  chunks: AsyncIterable<Buffer>,
  { terminal, joinsFrames }: { terminal: boolean; joinsFrames: boolean },
): AsyncGenerator<LogBatch> {
  const split = terminal ? wholeChunk : createFrameSplitter();
  const assemblers = { stdout: createLineAssembler("stdout", { joinsFrames }), stderr: createLineAssembler("stderr", { joinsFrames }) };
  for await (const chunk of chunks) {
    const lines = split(chunk).flatMap((piece) => assemblers[piece.stream].push(piece));
    if (lines.length > 0) yield lines;
  }
  const last = [...assemblers.stdout.end(), ...assemblers.stderr.end()];
  if (last.length > 0) yield last;
}

function wholeChunk(bytes: Buffer): LogPiece[] {
  return [{ stream: "stdout", bytes, begins: false }];
}

/** An engine would answer with an empty log or an error that names no remedy. */
function refuseUnreadable(driver: string): void {
  if (driver !== "none") return;
  throw new ServiceError(
    "conflict",
    "This container keeps no log: its log driver is `none`. Run it with the json-file, local or journald driver to read its log here.",
  );
}

type Stream = LogLine["stream"];

/** Bytes of one stream; `begins` marks the first bytes of one message of the log driver. */
interface LogPiece {
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
      if (remaining === 0 && header.length === 0 && chunk.length - offset >= HEADER_BYTES) {
        stream = streamOf(chunk, offset);
        remaining = chunk.readUInt32BE(offset + 4);
        offset += HEADER_BYTES;
        begins = true;
        continue;
      }
      if (remaining === 0) {
        const part = chunk.subarray(offset, offset + HEADER_BYTES - header.length);
        header = Buffer.concat([header, part]);
        offset += part.length;
        if (header.length < HEADER_BYTES) break;
        stream = streamOf(header, 0);
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

function streamOf(bytes: Buffer, at: number): Stream {
  const kind = bytes[at] ?? Infinity;
  if (kind > 2 || bytes.readUIntBE(at + 1, 3) !== 0) throw new RangeError("the log is not in the engine's frame format");
  return kind === 2 ? "stderr" : "stdout";
}
