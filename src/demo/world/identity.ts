import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../contract/time.ts";
import type { DemoContainer } from "./containers.ts";
import { hexOf, seedOf } from "./noise.ts";

/** When a container was created. Moments of the past lie on whole days before the start of the demo, at an hour that belongs to the container. */
export function createdMs(container: DemoContainer, updatedMs: number): number {
  if (container.fate === "crashing") return updatedMs;
  return Math.floor(updatedMs / HOUR_MS) * HOUR_MS - container.ageDays * DAY_MS - (seedOf(container.name) % 9) * HOUR_MS - 7 * MINUTE_MS;
}

export function externalIdOf({ name, image }: DemoContainer): string {
  return hexOf(`container ${name} ${image}`);
}

export function digestOf(image: string): string {
  return `sha256:${hexOf(`digest ${image}`)}`;
}

export function imageIdOf(image: string): string {
  return `sha256:${hexOf(`image ${image}`)}`;
}
