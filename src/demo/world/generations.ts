import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../contract/time.ts";
import type { DemoContainer } from "./containers.ts";
import { hexOf, noise, seedOf } from "./noise.ts";
import { createdMs, externalIdOf } from "./identity.ts";

/** A container as it was created once: from which image, and until another took its place. */
export interface Generation {
  externalId: string;
  image: string;
  createdMs: number;
  /** null of the present one. */
  endedMs: number | null;
}

/** How long its re-creation takes. */
const EXCHANGE_MS = 4_000;
/** Between two updates: of what the shop makes itself, and of all else. */
const OWN_EVERY_DAYS = 16;
const OTHERS_EVERY_DAYS = 48;

/** All generations of a container since the history began, the oldest first. */
export function generationsOf(container: DemoContainer, { startMs, updatedMs }: { startMs: number; updatedMs: number }): Generation[] {
  const { name, image } = container;
  const seed = seedOf(name);
  const everyDays = image.includes("harbour-shop") ? OWN_EVERY_DAYS : OTHERS_EVERY_DAYS;
  const generations: Generation[] = [
    { externalId: externalIdOf(container), image, createdMs: createdMs(container, updatedMs), endedMs: null },
  ];
  for (let step = 1; ; step += 1) {
    const next = generations[0];
    if (next === undefined || next.createdMs <= startMs) return generations;
    const days = Math.round(everyDays * (0.6 + 0.8 * noise(seed, 20, step)));
    // On a working day's hour, as updates are made.
    const created =
      Math.floor(next.createdMs / DAY_MS - days) * DAY_MS + (8 + Math.floor(9 * noise(seed, 21, step))) * HOUR_MS + 11 * MINUTE_MS;
    const older = olderImage(next.image);
    generations.unshift({
      externalId: hexOf(`container ${name} ${older} ${step}`),
      image: older,
      createdMs: Math.max(startMs, created),
      endedMs: next.createdMs - EXCHANGE_MS,
    });
  }
}

/** The version before: `2.15.0` came after `2.14.3`, `2.14.3` after `2.14.2`. */
export function olderImage(image: string): string {
  const at = image.lastIndexOf(":");
  const [, prefix = "", numbers = "", suffix = ""] = /^(\D*)([\d.]+)(.*)$/.exec(image.slice(at + 1)) ?? [];
  const parts = numbers.split(".").map(Number);
  for (let index = parts.length - 1; index >= 0; index -= 1) {
    const part = parts[index] ?? 0;
    if (part > 0) {
      parts[index] = part - 1;
      return `${image.slice(0, at + 1)}${prefix}${parts.join(".")}${suffix}`;
    }
    parts[index] = 3;
  }
  return image;
}
