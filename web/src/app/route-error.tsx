import type { ErrorComponentProps } from "@tanstack/react-router";
import { ErrorNote } from "../ui/error-note.tsx";
import { Page } from "./page.tsx";
import { useTitle } from "./use-title.ts";

/** A page that broke. The frame around it still works. */
export function RouteError({ error }: ErrorComponentProps) {
  useTitle("Page failed");
  return (
    <Page>
      <ErrorNote what="This page failed to load." error={error} onRetry={() => location.reload()}>
        Monitoring continues and no data is lost. If it fails again after a reload, report the message above.
      </ErrorNote>
    </Page>
  );
}
