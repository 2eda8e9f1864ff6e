import { type LogLine, MAX_LOG_LINE_BYTES } from "../runtime.ts";
import type { LogPiece } from "./frames.ts";

/** Ends the text of a line that was longer than {@link MAX_LOG_LINE_BYTES}. */
export const CUT_MARKER = " … [cut: line longer than 64 KiB]";

const NEWLINE = 10;
const CARRIAGE_RETURN = 13;
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d) /;
const LONGEST_TIMESTAMP_BYTES = 36;
/** A line of the longest text comes in messages of 16 KiB, each with a timestamp. */
const MAX_HELD_BYTES = MAX_LOG_LINE_BYTES + 8 * LONGEST_TIMESTAMP_BYTES;

/** Puts the pieces of one stream together into lines. */
export interface LineAssembler {
  push(piece: Pick<LogPiece, "bytes" | "begins">): LogLine[];
  /** The last line, when it did not end with a newline. */
  end(): LogLine[];
}

export function createLineAssembler(stream: LogLine["stream"]): LineAssembler {
  let held: Buffer[] = [];
  let heldBytes = 0;
  let cut = false;
  /** Where messages begin in what is held. */
  let beginnings: number[] = [];

  function hold(bytes: Buffer): void {
    const kept = bytes.subarray(0, MAX_HELD_BYTES - heldBytes);
    cut ||= kept.length < bytes.length;
    held.push(kept);
    heldBytes += kept.length;
  }

  function finish(): LogLine[] {
    const bytes = Buffer.concat(held, heldBytes);
    const messages = beginnings.map((start, index) => bytes.subarray(start, beginnings[index + 1]));
    const lines = joinMessages(messages.length > 0 ? messages : [bytes]);
    const wasCut = cut;
    held = [];
    heldBytes = 0;
    cut = false;
    beginnings = [];
    return lines.map((line, index) => readLine(line, { stream, cut: wasCut && index === lines.length - 1 }));
  }

  return {
    push({ bytes, begins }) {
      const lines: LogLine[] = [];
      if (begins && heldBytes < MAX_HELD_BYTES) beginnings.push(heldBytes);
      let start = 0;
      for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
        hold(bytes.subarray(start, end));
        lines.push(...finish());
        start = end + 1;
      }
      if (start < bytes.length) hold(bytes.subarray(start));
      return lines;
    },
    end: () => (heldBytes > 0 ? finish() : []),
  };
}

interface TimedBytes {
  timestamp: string;
  parts: Buffer[];
}

/**
 * The engine writes a timestamp before every message, and a long line is several messages with the same one. A message with another
 * timestamp is another line, even where the log driver left out the newline between.
 */
function joinMessages(messages: Buffer[]): TimedBytes[] {
  const lines: TimedBytes[] = [];
  for (const message of messages) {
    const timestamp = TIMESTAMP.exec(message.toString("latin1", 0, LONGEST_TIMESTAMP_BYTES))?.[0] ?? "";
    const parts = withoutRepeats(message.subarray(timestamp.length), timestamp);
    const last = lines.at(-1);
    if (last !== undefined && last.timestamp === timestamp) last.parts.push(...parts);
    else lines.push({ timestamp, parts });
  }
  return lines;
}

/** A terminal's stream has no frames, so that a message inside a line shows only by the repeated timestamp. */
function withoutRepeats(bytes: Buffer, timestamp: string): Buffer[] {
  if (timestamp === "") return [bytes];
  const parts: Buffer[] = [];
  let start = 0;
  for (let found = bytes.indexOf(timestamp); found >= 0; found = bytes.indexOf(timestamp, start)) {
    parts.push(bytes.subarray(start, found));
    start = found + timestamp.length;
  }
  parts.push(bytes.subarray(start));
  return parts;
}

function readLine({ timestamp, parts }: TimedBytes, { stream, cut }: { stream: LogLine["stream"]; cut: boolean }): LogLine {
  const bytes = Buffer.concat(parts);
  const end = bytes.at(-1) === CARRIAGE_RETURN ? bytes.length - 1 : bytes.length;
  const tooLong = cut || end > MAX_LOG_LINE_BYTES;
  // Decoding as a stream leaves out a character that the cut went through.
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(0, Math.min(end, MAX_LOG_LINE_BYTES)), {
    stream: tooLong,
  });
  return { timestamp: timestamp === "" ? null : new Date(timestamp.trimEnd()), stream, text: tooLong ? `${text}${CUT_MARKER}` : text };
}
