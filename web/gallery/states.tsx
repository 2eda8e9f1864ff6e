import { EmptyState } from "../src/ui/empty-state.tsx";
import { CommandLine } from "../src/ui/command-line.tsx";
import { ErrorNote } from "../src/ui/error-note.tsx";
import { Reading } from "../src/ui/forms/reading.tsx";
import { Skeleton, SkeletonRows } from "../src/ui/skeleton.tsx";
import { UptimeSection, spanFigures } from "../src/ui/uptime-section.tsx";
import { LogBlock } from "../src/logs/log-block.tsx";
import { DAYS, DEFECT, ignore, LONG, NO_ANSWER, RIGHT_TO_LEFT } from "./samples.ts";
import { Shelf, Specimen } from "./specimen.tsx";

const KNOWN = spanFigures({ "24h": 100, "7d": 99.98, "30d": 97.4, "90d": null });
const UNKNOWN = spanFigures({ "24h": null, "7d": null, "30d": null, "90d": null });
const QUERY = { data: undefined, error: null, isPending: false, refetch: () => Promise.resolve() as never };

/** Nothing there yet, nothing at all, or something failed. */
export function StateShelves() {
  return (
    <>
      <Shelf title="Loading, empty, failed">
        <Specimen state="Loading">
          <Skeleton />
          <SkeletonRows count={3} label="Loading samples" />
        </Specimen>
        <Specimen state="Empty">
          <EmptyState title="No endpoints yet">
            <p>Add a label to a container and its address is checked.</p>
            <CommandLine command="--label service.endpoint.http=https://shop.example.com" />
          </EmptyState>
        </Specimen>
        <Specimen state="Failed: with a way to try again, with a long and a right-to-left reason">
          <ErrorNote what="Could not load containers." error={DEFECT} onRetry={ignore}>
            The data below may be out of date.
          </ErrorNote>
          <ErrorNote what="Could not load logs." error={new Error(LONG)} />
          <ErrorNote what="Could not load logs." error={new Error(RIGHT_TO_LEFT)} />
        </Specimen>
        <Specimen state="A list: being read, failed, out of date">
          <Reading what="channels" query={{ ...QUERY, isPending: true }}>
            Alerts are still shown.
          </Reading>
          <Reading what="channels" query={{ ...QUERY, error: NO_ANSWER }}>
            Alerts are still shown.
          </Reading>
          <Reading what="channels" query={{ ...QUERY, data: [] as never, error: DEFECT }}>
            Alerts are still shown.
          </Reading>
        </Specimen>
      </Shelf>
      <Shelf title="Uptime section">
        <UptimeSection aside="Responding, of monitored time" figures={KNOWN} days={DAYS} error={null} onRetry={ignore} />
        <UptimeSection aside="Loading" figures={UNKNOWN} days={undefined} error={null} onRetry={ignore} />
        <UptimeSection aside="Failed" figures={UNKNOWN} days={undefined} error={DEFECT} onRetry={ignore} />
      </Shelf>
      <Shelf title="Log block">
        <Specimen state="Few lines, colours, long and right-to-left ones">
          <LogBlock
            label="Few lines"
            lines={[
              "\u001b[32mready\u001b[0m in 12 ms",
              "\u001b[1;31merror\u001b[0m cannot reach the ledger",
              LONG.repeat(4),
              RIGHT_TO_LEFT,
            ]}
          />
        </Specimen>
        <Specimen state="Many lines">
          <LogBlock label="Many lines" lines={Array.from({ length: 200 }, (_, index) => `line ${index + 1}`)} />
        </Specimen>
      </Shelf>
    </>
  );
}
