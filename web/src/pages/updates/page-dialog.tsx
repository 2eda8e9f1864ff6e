import type { ScanRecord } from "../../../../src/monitoring/updates/answers.ts";
import { DryRunDialog } from "./dry-run-dialog.tsx";
import { ErrorsDialog } from "./errors-dialog.tsx";
import { ExclusionsDialog } from "./exclusions-dialog.tsx";
import type { PageSearch } from "./filter.ts";

interface Properties {
  view: NonNullable<PageSearch["view"]>;
  scan: ScanRecord | null;
  onClose: () => void;
}

/** What is open over the page, as its address says. */
export function PageDialog({ view, scan, onClose }: Properties) {
  switch (view) {
    case "exclusions":
      return <ExclusionsDialog onClose={onClose} />;
    case "dry-run":
      return <DryRunDialog onClose={onClose} />;
    case "errors":
      return <ErrorsDialog scan={scan} onClose={onClose} />;
  }
}
