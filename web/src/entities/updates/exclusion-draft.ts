import { IMAGE_PATTERN } from "../../../../src/contract/image-pattern.ts";
import type { Faults } from "../../ui/forms/server-faults.ts";

/** The pattern that is asked for, or what is wrong with it. */
export function readPattern({ image }: { image: string }): { body: string } | { faults: Faults } {
  const body = image.trim();
  if (body === "") return { faults: { image: "Enter an image name." } };
  if (!IMAGE_PATTERN.test(body)) return { faults: { image: "Must be an image name. * matches any text, ? one character." } };
  return { body };
}
