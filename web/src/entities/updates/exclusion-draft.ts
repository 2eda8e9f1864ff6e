import type { Faults } from "../../ui/forms/server-faults.ts";

/** What an image's name and pattern are made of; as the server has it. */
const SIGNS = /^[\p{L}\p{N}._\-/:@*?]+$/u;

/** The pattern that is asked for, or what is wrong with it. */
export function readPattern({ image }: { image: string }): { body: string } | { faults: Faults } {
  const body = image.trim();
  if (body === "") return { faults: { image: "Enter an image name." } };
  if (!SIGNS.test(body)) return { faults: { image: "Must be an image name. * matches any text, ? one character." } };
  return { body };
}
