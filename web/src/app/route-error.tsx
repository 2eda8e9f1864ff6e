import type { ErrorComponentProps } from "@tanstack/react-router";
import { ErrorNote } from "../ui/error-note.tsx";
import { Page } from "./page.tsx";
import { useTitle } from "./use-title.ts";

/** A page that broke. The frame around it still works. */
export function RouteError({ error }: ErrorComponentProps) {
  useTitle("Page failed");
  return (
    <Page>
      <ErrorNote what="This page failed to show." error={error} onRetry={() => location.reload()}>
        Monitoring goes on and nothing is lost. If it fails again after a reload, the sentence above is what to report.
      </ErrorNote>
    </Page>
  );
}
