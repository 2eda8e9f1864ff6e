import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fc } from "../../../test/support/seed.ts";
import { bitsOf, oidOf, readChildren, readDer, timeOf } from "./der.ts";

const bytes = (hex: string): Buffer => Buffer.from(hex.replaceAll(" ", ""), "hex");

/** One element, with the shortest length. */
function element(tag: number, value: Buffer): Buffer {
  const { length } = value;
  const head = length < 0x80 ? [tag, length] : length < 0x100 ? [tag, 0x81, length] : [tag, 0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from(head), value]);
}

describe("DER", () => {
  it("reads elements and what is in them", () => {
    const whole = bytes("30 06 02 01 05 04 01 ff 99");
    const { tag, raw } = readDer(whole);
    assert.deepEqual([tag, raw.length], [0x30, 8]);
    assert.deepEqual(
      readChildren(readDer(whole)).map((child) => [child.tag, child.value.toString("hex")]),
      [
        [2, "05"],
        [4, "ff"],
      ],
    );
  });

  it("reads back whatever was written", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom(2, 4, 0x30, 0xa0), fc.uint8Array({ maxLength: 400 })), { maxLength: 5 }), (parts) => {
        const written = element(0x30, Buffer.concat(parts.map(([tag, value]) => element(tag, Buffer.from(value)))));
        const read = readChildren(readDer(written)).map(({ tag, value }): [number, Buffer] => [tag, value]);
        assert.deepEqual(
          read,
          parts.map(([tag, value]) => [tag, Buffer.from(value)]),
        );
      }),
    );
  });

  const oids: [string, string][] = [
    ["06 09 2a 86 48 86 f7 0d 01 01 0b", "1.2.840.113549.1.1.11"],
    ["06 03 55 1d 13", "2.5.29.19"],
    ["06 03 2b 65 70", "1.3.101.112"],
    ["06 02 88 37", "2.999"],
  ];
  for (const [hex, oid] of oids) it(`reads ${oid}`, () => assert.equal(oidOf(readDer(bytes(hex))), oid));

  it("reads times and bits", () => {
    assert.equal(timeOf(readDer(element(0x18, Buffer.from("20260301120000Z")))).toISOString(), "2026-03-01T12:00:00.000Z");
    assert.deepEqual(bitsOf(readDer(bytes("03 03 00 ab cd"))), bytes("abcd"));
  });

  const refused: [string, string][] = [
    ["nothing", ""],
    ["half an element", "30"],
    ["less than it says", "30 05 02 01"],
    ["an indefinite length", "30 80 00 00"],
    ["a length of five bytes", "30 85 01 00 00 00 00"],
    ["a length that is cut off", "30 82 01"],
    ["a tag of many bytes", "1f 81 01 00"],
  ];
  for (const [what, hex] of refused) it(`refuses ${what}`, () => assert.throws(() => readDer(bytes(hex)), /not well-formed/));

  it("refuses other things than were asked for", () => {
    assert.throws(() => oidOf(readDer(bytes("02 01 05"))), /not well-formed/);
    assert.throws(() => oidOf(undefined), /not well-formed/);
    assert.throws(() => timeOf(readDer(element(0x18, Buffer.from("yesterday")))), /not well-formed/);
    assert.throws(() => timeOf(readDer(element(0x18, Buffer.from("20261301120000Z")))), /not well-formed/);
    assert.throws(() => bitsOf(readDer(bytes("03 02 04 f0"))), /not well-formed/);
  });

  it("reads or refuses whatever comes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (anything) => {
        try {
          readChildren(readDer(Buffer.from(anything)));
        } catch (error) {
          assert.match(String(error), /not well-formed/);
        }
      }),
      { numRuns: 2000 },
    );
  });
});
