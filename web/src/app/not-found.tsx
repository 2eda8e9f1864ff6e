import { Link } from "@tanstack/react-router";
import { buttonClass } from "../ui/button.tsx";
import { Page, PageHeader } from "./page.tsx";
import { useTitle } from "./use-title.ts";

/** An address that leads nowhere. */
export function NotFound() {
  useTitle("Not found");
  return (
    <Page>
      <PageHeader title="Page not found" />
      <p className="mt-1 mb-4 text-ink-2">Check the address. It may also belong to another version of Binnacle.</p>
      <Link to="/" className={buttonClass()}>
        Go to overview
      </Link>
    </Page>
  );
}
