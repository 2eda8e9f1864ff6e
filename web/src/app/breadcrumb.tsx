import { Link, type LinkProps } from "@tanstack/react-router";

/** The way back to the list that something is in. */
export function Breadcrumb({ to, children }: { to: NonNullable<LinkProps["to"]>; children: string }) {
  return (
    <nav aria-label="Breadcrumb" className="flex text-xs text-ink-2">
      <Link to={to} className="hover:text-ink hover:underline">
        {children}
      </Link>
    </nav>
  );
}
