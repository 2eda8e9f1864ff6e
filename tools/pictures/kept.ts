/** The pictures that are kept of all pages, and what a page looks like beside them. */
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { compareToKept, type Difference, shrink } from "./blocks.ts";
import { decodePng, encodePng, type Picture } from "./png.ts";

const ROOT = join(import.meta.dirname, "../..");
export const KEPT_FOLDER = join(ROOT, "test/fixtures/pictures");
/** Where before, after and difference of what changed are written. */
const CHANGED_FOLDER = join(ROOT, "screenshots/changed");

/** A window and a theme in which pages are pictured; blocks of so many pixels a side are kept. */
export interface Shape {
  name: string;
  viewport: { width: number; height: number };
  colorScheme: "light" | "dark";
  block: number;
  /** Compared in the gate; the others in the long form alone. */
  inGate: boolean;
}

/** Every size once and every theme twice: that the others are well made is looked at without pictures. Blocks are larger where only the layout counts. */
export const SHAPES: readonly Shape[] = [
  { name: "390-dark", viewport: { width: 390, height: 844 }, colorScheme: "dark", block: 8, inGate: true },
  { name: "1024-dark", viewport: { width: 1024, height: 768 }, colorScheme: "dark", block: 16, inGate: false },
  { name: "1440-light", viewport: { width: 1440, height: 900 }, colorScheme: "light", block: 8, inGate: true },
  { name: "1920-light", viewport: { width: 1920, height: 1080 }, colorScheme: "light", block: 16, inGate: false },
];

/** Keeps what a page looks like in a shape. */
export function keepPicture(name: string, shape: Shape, picture: Picture): void {
  mkdirSync(KEPT_FOLDER, { recursive: true });
  writeFileSync(keptPath(name, shape), encodePng(shrink(picture, shape.block)));
}

/** The names of all that is kept. */
export function keptNames(): string[] {
  return globSync("*.png", { cwd: KEPT_FOLDER }).map((file) => file.replace(/\.png$/, ""));
}

/** Removes what is kept of a page that is no more. */
export function forgetPicture(keptName: string): void {
  rmSync(join(KEPT_FOLDER, `${keptName}.png`));
}

function keptPath(name: string, shape: Shape): string {
  return join(KEPT_FOLDER, `${name}.${shape.name}.png`);
}

/** Where the change of a picture is shown. */
export function changedPath(name: string, shape: Shape): string {
  return join(CHANGED_FOLDER, `${name}.${shape.name}.png`);
}

export interface Comparison {
  isSame: boolean;
  /** Writes before, after and difference beside each other; answers what changed, and where that is. */
  report(): string;
}

/** Compares a page with what is kept of it. */
export function compareWithKept(name: string, shape: Shape, picture: Picture): Comparison {
  const path = keptPath(name, shape);
  const kept = existsSync(path) ? decodePng(readFileSync(path)) : undefined;
  const difference = kept === undefined ? undefined : compareToKept(picture, kept, shape.block);
  return {
    isSame: difference !== undefined && !difference.isChange,
    report() {
      mkdirSync(CHANGED_FOLDER, { recursive: true });
      const written = changedPath(name, shape);
      const after = shrink(picture, shape.block);
      writeFileSync(written, encodePng(kept === undefined ? after : besideEachOther(kept, after, difference)));
      const what =
        kept === undefined
          ? "nothing is kept of it"
          : difference?.resized
            ? "its size changed"
            : `${difference?.blocks.size} blocks changed`;
      return `${name} at ${shape.name}: ${what}. Look at ${written}; if it is meant to be so: npm run pictures:keep -- ${name}`;
    },
  };
}

/** Each block of the difference is shown as so many pixels. */
const ENLARGED = 4;
const GAP = 8;
const MARK = [214, 40, 40] as const;

/** Before, after, and after in pale with what differs in red. */
function besideEachOther(before: Picture, after: Picture, difference: Difference | undefined): Picture {
  const marked = { ...after, rgb: after.rgb.map((value) => 255 - (255 - value) / 4) };
  for (const block of difference?.blocks.keys() ?? []) marked.rgb.set(MARK, block * 3);
  const parts = [before, after, marked];
  const width = parts.reduce((sum, part) => sum + part.width * ENLARGED + GAP, -GAP);
  const height = Math.max(...parts.map((part) => part.height * ENLARGED));
  const rgb = new Uint8Array(width * height * 3).fill(128);
  let left = 0;
  for (const part of parts) {
    for (let y = 0; y < part.height * ENLARGED; y += 1)
      for (let x = 0; x < part.width * ENLARGED; x += 1) {
        const from = (Math.floor(y / ENLARGED) * part.width + Math.floor(x / ENLARGED)) * 3;
        rgb.set(part.rgb.subarray(from, from + 3), (y * width + left + x) * 3);
      }
    left += part.width * ENLARGED + GAP;
  }
  return { width, height, rgb };
}
