/** Containers that were started by hand: they are made anew from what the engine itself knows of them. */
import type { CommandInput, Way } from "./command.ts";
import { quoteAll } from "./quote.ts";
import { RECREATE } from "./recreate.ts";

/** Of what an engine takes as a name: it becomes part of an address. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]*$/;

const NOTE =
  "The container is recreated with its current settings; image defaults come from the new image. " +
  "If the new container does not start, the old one is restored. Containers that share its network must be recreated afterwards.";

export function engineWay({ name }: CommandInput["container"]): Way | undefined {
  if (!NAME.test(name)) return undefined;
  return {
    command: (image) => ({
      text: [`sh -eu -s -- ${quoteAll([name, image])} <<'RECREATE'`, RECREATE.trim(), "RECREATE"].join("\n"),
      note: NOTE,
    }),
  };
}
