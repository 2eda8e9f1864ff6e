import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { heldMemory } from "../../test/support/held-memory.ts";
import { fc } from "../../test/support/seed.ts";
import { type LogLine, MAX_LOG_LINE_BYTES } from "./runtime.ts";
import { createFrameSplitter } from "./docker/logs.ts";
import { CUT_MARKER, createLineAssembler } from "./log-lines.ts";

const TIME = "2026-03-01T12:00:00.123456789Z";
const LATER = "2026-03-01T12:00:01.000000000Z";

function frame(stream: 1 | 2, text: string): Buffer {
  const payload = Buffer.from(text);
  const header = Buffer.from([stream, 0, 0, 0, 0, 0, 0, 0]);
  header.writeUInt32BE(payload.length, 4);
  return Buffer.concat([header, payload]);
}

function readFramed(chunks: Buffer[]): LogLine[] {
  const split = createFrameSplitter();
  const assemblers = { stdout: createLineAssembler("stdout"), stderr: createLineAssembler("stderr") };
  const lines = chunks.flatMap(split).flatMap((piece) => assemblers[piece.stream].push(piece));
  return [...lines, ...assemblers.stdout.end(), ...assemblers.stderr.end()];
}

function readTerminal(chunks: Buffer[]): LogLine[] {
  const assembler = createLineAssembler("stdout");
  return [...chunks.flatMap((bytes) => assembler.push({ bytes, begins: false })), ...assembler.end()];
}

const texts = (lines: LogLine[]): string[] => lines.map(({ stream, text }) => `${stream}:${text}`);

describe("log lines", () => {
  it("takes both streams apart and reads timestamps", () => {
    const lines = readFramed([Buffer.concat([frame(1, `${TIME} out\n`), frame(2, `${TIME} err\n`), frame(1, `${LATER} unfinished`)])]);
    assert.deepEqual(texts(lines), ["stdout:out", "stderr:err", "stdout:unfinished"]);
    assert.deepEqual(lines[0]?.timestamp, new Date("2026-03-01T12:00:00.123Z"));
  });

  it("joins the messages of one long line and takes their timestamps out", () => {
    const part = "x".repeat(16_384);
    const messages = [frame(1, `${TIME} ${part}`), frame(1, `${TIME} ${part}`), frame(1, `${TIME} end\n`), frame(1, `${LATER} next\n`)];
    assert.deepEqual(texts(readFramed(messages)), [`stdout:${part}${part}end`, "stdout:next"]);
    const terminal = Buffer.from(`${TIME} ${part}${TIME} ${part}${TIME} end\r\n${LATER} next\r\n`);
    assert.deepEqual(texts(readTerminal([terminal])), [`stdout:${part}${part}end`, "stdout:next"]);
  });

  it("joins a character that two messages share", () => {
    const [first, second] = [Buffer.from("é").subarray(0, 1), Buffer.from("é").subarray(1)];
    const raw = (bytes: Buffer, end = ""): Buffer => {
      const payload = Buffer.concat([Buffer.from(`${TIME} `), bytes, Buffer.from(end)]);
      const header = Buffer.from([1, 0, 0, 0, 0, 0, 0, payload.length]);
      return Buffer.concat([header, payload]);
    };
    assert.deepEqual(texts(readFramed([raw(first), raw(second, "\n")])), ["stdout:é"]);
  });

  it("ends a line where the next message is of another time, though its newline is missing", () => {
    assert.deepEqual(texts(readFramed([frame(1, `${TIME} end`), frame(1, `${LATER} next\n`)])), ["stdout:end", "stdout:next"]);
  });

  it("joins frames without a newline where the engine leaves it out inside a line only", () => {
    const assembler = createLineAssembler("stdout", { joinsFrames: true });
    const piece = (text: string): Parameters<typeof assembler.push>[0] => ({ bytes: Buffer.from(text), begins: true });
    const part = "x".repeat(8192);
    const sent = [`${TIME} A1-`, `${LATER} A2\n`, `${LATER} B1\n`, `${TIME} ${part}`, `${LATER} ${part}`, `${LATER} end\n`, `${TIME} last`];
    const lines = [...sent.flatMap((text) => assembler.push(piece(text))), ...assembler.end()];
    assert.deepEqual(texts(lines), ["stdout:A1-A2", "stdout:B1", `stdout:${part}${part}end`, "stdout:last"]);
    assert.deepEqual(lines[0]?.timestamp, new Date("2026-03-01T12:00:00.123Z"));
  });

  it("does so even when what follows is too long", () => {
    const part = "x".repeat(16_384);
    const long = Array.from({ length: 6 }, () => frame(1, `${LATER} ${part}`));
    const lines = readFramed([
      frame(1, `${TIME} ${part}`),
      frame(1, `${TIME} end`),
      ...long,
      frame(1, `${LATER} y\n`),
      frame(1, `${TIME} next\n`),
    ]);
    assert.deepEqual(texts(lines), [`stdout:${part}end`, `stdout:${part.repeat(4)}${CUT_MARKER}`, "stdout:next"]);
  });

  it("cuts a line of 5 MB, says so, holds no more than it keeps, and continues", () => {
    const part = "é".repeat(8192);
    const split = createFrameSplitter();
    const assembler = createLineAssembler("stdout");
    const lines: LogLine[] = [];
    const before = heldMemory().arrayBuffers;
    for (let message = 0; message < 320; message += 1) {
      for (const piece of split(frame(1, `${TIME} ${message === 0 ? "x" : ""}${part}`))) lines.push(...assembler.push(piece));
    }
    assert.ok(heldMemory().arrayBuffers - before < 1024 * 1024);
    for (const piece of split(frame(1, `${TIME} end\n`))) lines.push(...assembler.push(piece));
    for (const piece of split(frame(1, `${LATER} next\n`))) lines.push(...assembler.push(piece));
    assert.equal(lines.length, 2);
    const text = lines[0]?.text ?? "";
    assert.ok(text.endsWith(CUT_MARKER));
    const kept = text.slice(0, -CUT_MARKER.length);
    assert.equal(Buffer.byteLength(kept), MAX_LOG_LINE_BYTES - 1);
    assert.doesNotMatch(kept, /\ufffd/);
    assert.equal(lines[1]?.text, "next");
  });

  it("keeps a line of exactly the bound whole", () => {
    const text = "x".repeat(MAX_LOG_LINE_BYTES);
    assert.deepEqual(texts(readFramed([frame(1, `${TIME} ${text}\n`)])), [`stdout:${text}`]);
  });

  it("reads lines without timestamps, and empty ones", () => {
    assert.deepEqual(readFramed([frame(1, "plain\n"), frame(1, `${TIME} \n`)]), [
      { timestamp: null, stream: "stdout", text: "plain" },
      { timestamp: new Date("2026-03-01T12:00:00.123Z"), stream: "stdout", text: "" },
    ]);
  });

  it("refuses bytes that are no frames", () => assert.throws(() => readFramed([Buffer.from("just some text")]), RangeError));

  it("gives the same lines however the bytes are cut", () => {
    const message = fc.record({ stream: fc.constantFrom<1 | 2>(1, 2), text: fc.string({ unit: "grapheme", maxLength: 40 }) });
    fc.assert(
      fc.property(fc.array(message, { maxLength: 12 }), fc.array(fc.nat(1500), { maxLength: 15 }), (messages, cuts) => {
        const bytes = Buffer.concat(messages.map(({ stream, text }) => frame(stream, `${TIME} ${text.replaceAll("\n", "")}\n`)));
        const edges = [0, ...cuts.filter((cut) => cut < bytes.length).toSorted((a, b) => a - b), bytes.length];
        const chunks = edges.slice(1).map((edge, index) => bytes.subarray(edges[index], edge));
        assert.deepEqual(readFramed(chunks), readFramed([bytes]));
        assert.equal(readFramed(chunks).length, messages.length);
      }),
    );
  });
});
