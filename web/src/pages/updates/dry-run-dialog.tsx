import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { DryRun } from "../../../../src/monitoring/updates/answers.ts";
import { dryRunQuery } from "../../api/updates.ts";
import { asSentence } from "../../format/sentence.ts";
import { countOf, formatCount } from "../../format/number.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { StatusIcon } from "../../ui/status-icon.tsx";
import { mergedImages } from "./merged-images.ts";

type Image = DryRun["images"][number];

const MODES: Readonly<Record<NonNullable<Image["mode"]>, string>> = { semver: "by version", digest: "by digest" };
/** So many containers of one image are named. */
const NAMED = 4;

/** What a scan would ask which registry, and what it would not ask and why. Nothing is asked for it. */
export function DryRunDialog({ onClose }: { onClose: () => void }) {
  const { data, error, refetch } = useQuery(dryRunQuery);
  const images = mergedImages(data?.images ?? []);
  const asked = images.filter(({ skipped_reason }) => skipped_reason === null);
  const skipped = images.filter(({ skipped_reason }) => skipped_reason !== null);
  return (
    <Dialog open onClose={onClose} title="Preview scan">
      <p className="min-h-10 text-ink-2 tabular-nums">
        {data !== undefined &&
          `A scan would check ${countOf(asked.length, "image")} and skip ${formatCount(skipped.length)}. No registry was contacted for this preview.`}
      </p>
      {error !== null && <ErrorNote what="Could not load the preview." error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <SkeletonRows count={6} label="Loading what a scan asks" />}
      <Images heading="Skipped" images={skipped} />
      <Images heading="Checked" images={asked} />
    </Dialog>
  );
}

function Images({ heading, images }: { heading: string; images: readonly Image[] }) {
  if (images.length === 0) return null;
  return (
    <section className="mt-3">
      <h3 className="pb-1 text-xs font-semibold text-ink-2">
        {heading} <span className="font-normal tabular-nums">{formatCount(images.length)}</span>
      </h3>
      <ul>
        {images.map((image, index) => (
          <li key={`${image.image} ${index}`} className="grid grid-cols-[18px_minmax(0,1fr)] border-t border-line py-2">
            <StatusIcon status={image.skipped_reason === null ? "ok" : "idle"} size={10} className="mt-[5px]" />
            <div className="min-w-0">
              <p className="flex flex-wrap items-baseline gap-x-3">
                <bdi className="min-w-0 wrap-anywhere">{image.image}</bdi>
                <span className="text-xs text-ink-2">
                  {image.skipped_reason === null && image.mode !== null && MODES[image.mode]}
                  {image.registry !== null && image.skipped_reason === null && <> at {image.registry}</>}
                </span>
              </p>
              <p dir="auto" className="text-sm wrap-anywhere text-ink-2">
                {asSentence(image.skipped_reason ?? image.candidates_filter ?? "")}
              </p>
              <Containers containers={image.containers} />
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Containers({ containers }: { containers: Image["containers"] }) {
  const more = containers.length - NAMED;
  return (
    <p className="text-xs wrap-anywhere text-ink-3">
      {containers.slice(0, NAMED).map(({ id, name }, index) => (
        <span key={id}>
          {index > 0 && ", "}
          <Link to="/containers/$id" params={{ id }} search={{ tab: "updates" }} className="hover:text-ink hover:underline">
            <bdi>{name}</bdi>
          </Link>
        </span>
      ))}
      {more > 0 && ` and ${formatCount(more)} more`}
    </p>
  );
}
