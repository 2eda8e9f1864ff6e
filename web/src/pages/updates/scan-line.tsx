import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { RefreshCw } from "lucide-react";
import type { ReactNode } from "react";
import type { ScanRecord, UpdateSummary } from "../../../../src/monitoring/updates/answers.ts";
import { isApiError } from "../../api/client.ts";
import { startScan } from "../../api/updates.ts";
import { countOf } from "../../format/number.ts";
import { formatAge } from "../../format/time.ts";
import { Age } from "../../ui/age.tsx";
import { Button } from "../../ui/button.tsx";
import { useNow } from "../../ui/ticker.tsx";
import { scanWords, studyWords } from "../../entities/updates/words.ts";

/** When was and will be looked; while it is, how far that is. Its height is the same in each case. */
export function ScanLine({ summary }: { summary: UpdateSummary | undefined }) {
  const scanning = summary?.scanning ?? null;
  return (
    <div className="mt-1 text-ink-2 max-sm:mt-2">
      <div className="flex min-h-5 flex-wrap items-baseline gap-x-4 gap-y-1">
        <p className="tabular-nums max-sm:min-h-10 max-sm:w-full">
          {summary !== undefined && (scanning === null ? <Times summary={summary} /> : `${scanWords(scanning)}.`)}
          {scanning === null && summary?.studying != null && ` ${studyWords(summary.studying)}.`}
        </p>
        <nav aria-label="About scans" className="flex flex-wrap gap-x-4 gap-y-1 text-sm sm:ml-auto">
          <View view="dry-run">Preview scan</View>
          <View view="exclusions">Excluded images</View>
        </nav>
      </div>
      <ScanBar scan={scanning} />
    </div>
  );
}

function View({ view, children }: { view: "errors" | "dry-run" | "exclusions"; children: ReactNode }) {
  return (
    <Link
      from="/updates"
      to="/updates"
      search={(search) => ({ ...search, view })}
      resetScroll={false}
      className="underline decoration-line-strong underline-offset-2 hover:text-ink"
    >
      {children}
    </Link>
  );
}

function Times({ summary: { last_scan_at, last_scan, next_scan_at } }: { summary: UpdateSummary }) {
  return (
    <>
      {last_scan_at !== null && <LastLook at={last_scan_at} scan={last_scan} />}
      {last_scan_at !== null && next_scan_at !== null && ", "}
      {next_scan_at !== null && <Next at={next_scan_at} isFirst={last_scan_at === null} />}
      {(last_scan_at !== null || next_scan_at !== null) && ". "}
      {last_scan !== null && last_scan.errors.length > 0 && (
        <View view="errors">{countOf(last_scan.errors.length, "image")} couldn't be checked</View>
      )}
    </>
  );
}

function LastLook({ at, scan }: { at: string; scan: ScanRecord | null }) {
  const hasFailed = scan?.status === "failed";
  return (
    <>
      {hasFailed ? "The last scan failed" : "Last scan"} <Age at={at} form="ago" />
      {hasFailed && scan.failure !== null && <bdi> ({scan.failure.replace(/[\s.]+$/, "")})</bdi>}
    </>
  );
}

function Next({ at, isFirst }: { at: string; isFirst: boolean }) {
  const words = useNow((nowMs) => (Date.parse(at) - nowMs < 1000 ? "any moment" : `in ${formatAge(Date.parse(at) - nowMs)}`));
  return `${isFirst ? "First scan" : "next scan"} ${words}`;
}

/** How far a scan is, as a thin line; its place is kept while none runs. */
function ScanBar({ scan }: { scan: ScanRecord | null }) {
  if (scan === null) return <div className="mt-2.5 h-0.5" />;
  const percent = scan.total === 0 ? 0 : Math.min(100, Math.round((100 * scan.scanned) / scan.total));
  return (
    <div
      role="progressbar"
      aria-label="Scan"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      className="mt-2.5 h-0.5 overflow-hidden rounded-full bg-line"
    >
      <div className="h-full bg-accent transition-[width] duration-300 motion-reduce:transition-none" style={{ width: `${percent}%` }} />
    </div>
  );
}

/** Sets a scan off, unless one runs. */
export function useScan() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: startScan,
    // If another user started it a moment earlier, that is what was wanted.
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["updates", "summary"] }),
    throwOnError: false,
  });
}

/** Whether a scan could not be set off for another reason than that one runs. */
export function isScanFault(error: Error | null): error is Error {
  return error !== null && !isApiError(error, "scan_in_progress");
}

/** As wide in both of its states. */
export function ScanButton({ isScanning, isStarting, onScan }: { isScanning: boolean; isStarting: boolean; onScan: () => void }) {
  const busy = isScanning || isStarting;
  return (
    <Button kind="primary" className="w-28 max-sm:order-last max-sm:w-full" disabled={busy} onClick={onScan}>
      <RefreshCw size={14} aria-hidden className={busy ? "animate-spin" : undefined} />
      {busy ? "Scanning" : "Scan now"}
    </Button>
  );
}
