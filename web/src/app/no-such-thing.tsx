import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { buttonClass } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Page } from "./page.tsx";
import type { Section } from "./sections.ts";
import { useTitle } from "./use-title.ts";

interface Properties {
  /** What it would be: `Container`. */
  kind: string;
  /** The list that it would be in, and what that has: `containers`. */
  to: Section["to"];
  list: string;
  /** Why it may be gone. */
  children: ReactNode;
}

/** The page of something that is not there. */
export function NoSuchThing({ kind, to, list, children }: Properties) {
  const title = `${kind} not found`;
  useTitle(title);
  return (
    <Page>
      <EmptyState title={title}>
        <p>{children}</p>
        <Link to={to} className={buttonClass()}>
          Go to {list}
        </Link>
      </EmptyState>
    </Page>
  );
}
