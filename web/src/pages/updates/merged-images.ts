import type { DryRun } from "../../../../src/monitoring/updates/answers.ts";

type Image = DryRun["images"][number];

/** The same image once, with all its containers, where its status is the same. */
export function mergedImages(images: readonly Image[]): Image[] {
  const groups = Map.groupBy(images, ({ image, mode, candidates_filter, registry, skipped_reason }) =>
    JSON.stringify([image, mode, candidates_filter, registry, skipped_reason]),
  );
  return [...groups.values()].flatMap(([first, ...rest]) =>
    first === undefined ? [] : [{ ...first, containers: [first, ...rest].flatMap(({ containers }) => containers) }],
  );
}
