/** Containers that were started by hand: they are made anew from what the engine itself knows of them. */
import type { CommandInput, Way } from "./command.ts";
import { quoteAll } from "./quote.ts";
import { RECREATE } from "./recreate.ts";

/** Of what an engine takes as a name: it becomes part of an address. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]*$/;

const NOTE =
  "The container is made anew with all its settings as the engine knows them; settings that are the image's own come from the new image. " +
  "The old one gets its place back if the new one does not start. Containers that share its network have to be made anew after it.";

export function engineWay({ name }: CommandInput["container"]): Way | undefined {
  if (!NAME.test(name)) return undefined;
  return {
    command: (image) => ({
      text: [`sh -eu -s -- ${quoteAll([name, image])} <<'RECREATE'`, RECREATE.trim(), "RECREATE"].join("\n"),
      note: NOTE,
    }),
  };
}
