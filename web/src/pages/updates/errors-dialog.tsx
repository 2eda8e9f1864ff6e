import type { ScanRecord } from "../../../../src/monitoring/updates/answers.ts";
import { asSentence } from "../../format/sentence.ts";
import { Age } from "../../ui/age.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { StatusIcon } from "../../ui/status-icon.tsx";

/** What the last scan could not ask, and why. */
export function ErrorsDialog({ scan, onClose }: { scan: ScanRecord | null; onClose: () => void }) {
  const errors = scan?.errors ?? [];
  return (
    <Dialog open onClose={onClose} title="Images that couldn't be checked">
      <p className="text-ink-2">
        {errors.length === 0 ? (
          "The last scan checked every image."
        ) : (
          <>
            The last scan, <Age at={scan?.completed_at ?? scan?.started_at ?? ""} form="ago" />, skipped them. Earlier results are kept, and
            the next scan retries.
          </>
        )}
      </p>
      <ul className="mt-3">
        {errors.map(({ image, error }, index) => (
          <li key={`${image} ${index}`} className="grid grid-cols-[18px_minmax(0,1fr)] border-t border-line py-2">
            <StatusIcon status="degraded" size={10} className="mt-[5px]" />
            <div className="min-w-0">
              <bdi className="wrap-anywhere">{image}</bdi>
              <p dir="auto" className="text-sm wrap-anywhere text-ink-2">
                {asSentence(error)}
              </p>
            </div>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
