import assert from "node:assert/strict";
import { test } from "node:test";
import { crc32, deflateSync } from "node:zlib";
import { fc } from "../../test/support/seed.ts";
import { cropPicture, decodePng, encodePng, type Picture } from "./png.ts";

const size = fc.integer({ min: 1, max: 12 });
/** With few colours, which get a palette, or with many. */
const picture = fc
  .tuple(size, size, fc.boolean())
  .chain(([width, height, isRich]) =>
    fc
      .uint8Array({ minLength: width * height * 3, maxLength: width * height * 3 })
      .map((values): Picture => ({ width, height, rgb: isRich ? values : values.map((value) => (value > 127 ? 255 : 0)) })),
  );

test("what is written is read as it was", () => {
  fc.assert(
    fc.property(picture, (given) => {
      const read = decodePng(encodePng(given));
      assert.deepEqual([read.width, read.height], [given.width, given.height]);
      assert.ok(Buffer.from(read.rgb).equals(given.rgb));
    }),
  );
});

test("a picture of more than 256 colours is written without a palette", () => {
  const rgb = Uint8Array.from({ length: 300 * 3 }, (_, index) => (index % 3 === 0 ? index / 3 : index / 9));
  const file = encodePng({ width: 300, height: 1, rgb });
  assert.equal(file.includes("PLTE"), false);
  assert.deepEqual([...decodePng(file).rgb], [...rgb]);
});

test("each filter of a row is taken back", () => {
  fc.assert(
    fc.property(picture, fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 12, maxLength: 12 }), (given, filters) => {
      assert.ok(Buffer.from(decodePng(filtered(given, filters)).rgb).equals(given.rgb));
    }),
  );
});

/** The picture as PNG, each row with a filter as the specification defines it (PNG, 9.2). */
function filtered({ width, height, rgb }: Picture, filters: readonly number[]): Buffer {
  const stride = width * 3;
  const at = (row: number, index: number): number => (row < 0 || index < 0 ? 0 : (rgb[row * stride + index] ?? 0));
  const rows = Array.from({ length: height }, (_, row) => {
    const filter = filters[row] ?? 0;
    const values = Array.from({ length: stride }, (_value, index) => {
      const [left, above, corner] = [index < 3 ? 0 : at(row, index - 3), at(row - 1, index), index < 3 ? 0 : at(row - 1, index - 3)];
      const estimate = left + above - corner;
      const nearest = [left, above, corner].toSorted((one, other) => Math.abs(estimate - one) - Math.abs(estimate - other))[0] ?? 0;
      return (at(row, index) - ([0, left, above, (left + above) >> 1, nearest][filter] ?? 0)) & 255;
    });
    return Buffer.from([filter, ...values]);
  });
  const header = Buffer.from(encodePng({ width, height, rgb }).subarray(16, 29));
  header[9] = 2;
  const chunk = (type: string, data: Buffer): Buffer => {
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(Buffer.concat([Buffer.from(type), data])));
    return Buffer.concat([length, Buffer.from(type), data, sum]);
  };
  const signature = encodePng({ width, height, rgb }).subarray(0, 8);
  return Buffer.concat([signature, chunk("IHDR", header), chunk("IDAT", deflateSync(Buffer.concat(rows))), chunk("IEND", Buffer.alloc(0))]);
}

test("what is no PNG, or one of another kind, is refused", () => {
  assert.throws(() => decodePng(Buffer.from("GIF89a")), /not a PNG/);
  const grey = encodePng({ width: 1, height: 1, rgb: new Uint8Array(3) });
  grey[25] = 0;
  assert.throws(() => decodePng(grey), /of a kind that is not read here/);
});

test("a part is cut out, up to the edge", () => {
  const whole = { width: 3, height: 2, rgb: Uint8Array.from({ length: 18 }, (_, index) => index) };
  const part = cropPicture(whole, { left: 1, top: 1, width: 5, height: 5 });
  assert.deepEqual([part.width, part.height, [...part.rgb]], [2, 1, [12, 13, 14, 15, 16, 17]]);
});
