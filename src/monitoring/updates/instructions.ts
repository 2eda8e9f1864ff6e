import { type Command, commandsFor, type Workload } from "./commands/index.ts";
import { withoutTag } from "../../contract/image-pattern.ts";
import { isImageId } from "./known-image.ts";
import type { Entry } from "./projection.ts";

/** What a person would run to take an update, and to go back: from what is available to what runs, and from what runs to what ran before. */
export interface Instructions {
  update: Command | null;
  rollback: Command | null;
}

/** `before` is what ran before its image last changed; `workload` what of Kubernetes the container stands for. */
export function instructionsFor(
  entry: Entry,
  { before, workload = null }: { before?: { image: string; digest: string | null } | undefined; workload?: Workload | null } = {},
): Instructions {
  if (entry.standing.available !== null) return commandsOf(entry, { workload });
  // To what runs now there is no way back while nothing else is to be taken.
  if (before === undefined) return { update: null, rollback: null };
  const wasRenamed = before.image !== entry.container.image;
  return { update: null, rollback: commandsOf(entry, { back: before, workload, wasRenamed }).rollback };
}

function commandsOf(
  { container, known, standing }: Entry,
  {
    back = { image: container.image, digest: container.imageDigest },
    ...others
  }: { back?: { image: string; digest: string | null }; workload: Workload | null; wasRenamed?: boolean },
): Instructions {
  const { imageDigest } = container;
  // Some engines know an image by the digest that its registry knows it by: there it is no mere id.
  const isRegistrys =
    imageDigest !== null && known !== undefined && (known.remote?.digest === imageDigest || known.contents[imageDigest] != null);
  return commandsFor({
    container: isRegistrys ? { ...container, imageId: null } : container,
    // An id is no name that anything could be pulled by.
    registryName: isImageId(back.image, container.imageId) ? "" : withoutTag(back.image),
    currentTag: known?.reference?.tag ?? null,
    currentDigest: back.digest,
    availableTag: standing.available?.tag ?? null,
    availableDigest: standing.available?.digest ?? null,
    updateType: standing.type,
    ...others,
  });
}
