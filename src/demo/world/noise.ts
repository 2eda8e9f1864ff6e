import { createHash } from "node:crypto";

/** A number in [0, 1) that is always the same for the same three whole numbers. */
export function noise(seed: number, scale: number, step: number): number {
  let mixed = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(scale + 1, 0xc2b2ae35) ^ Math.imul(step | 0, 0x27d4eb2f);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
  mixed = Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39);
  return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
}

/** 64 hexadecimal digits that always belong to a name: of containers and digests. */
export function hexOf(name: string): string {
  return createHash("sha256").update(`demo ${name}`).digest("hex");
}

export function seedOf(name: string): number {
  return Number.parseInt(hexOf(name).slice(0, 8), 16);
}
