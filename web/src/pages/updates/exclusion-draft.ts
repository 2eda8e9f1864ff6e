import type { Faults } from "../notifications/server-faults.ts";

/** What an image's name and pattern are made of; as the server has it. */
const SIGNS = /^[\p{L}\p{N}._\-/:@*?]+$/u;

/** The pattern that is asked for, or what is wrong with it. */
export function readPattern({ image }: { image: string }): { body: string } | { faults: Faults } {
  const body = image.trim();
  if (body === "") return { faults: { image: "Name an image." } };
  if (!SIGNS.test(body))
    return { faults: { image: "It must be an image's name, in which * stands for any text and ? for one character." } };
  return { body };
}
