import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { PanelLeftClose, PanelLeftOpen } from "lucide-react";
import { editionQuery, healthQuery } from "../api/queries.ts";
import { classNames } from "../ui/class-names.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { AlertBadge } from "./alert-badge.tsx";
import { usePreference } from "./preference.ts";
import { usePreferences } from "./preferences.ts";
import { useSections } from "./use-sections.ts";
import { useMedia } from "./use-media.ts";

/** The way to every section, at the left of wide screens. */
export function Rail() {
  const { rail } = usePreferences();
  const hasRoom = useMedia("(min-width: 1024px)");
  const sections = useSections();
  const narrow = usePreference(rail) === "narrow" || !hasRoom;
  return (
    <nav
      aria-label="Sections"
      className={classNames(
        "sticky top-0 flex h-dvh shrink-0 flex-col gap-0.5 border-r border-line px-2 py-2.5 max-md:hidden",
        narrow ? "w-[53px]" : "w-52",
      )}
    >
      <Link to="/" aria-label="Binnacle" className="mb-2 flex h-8 items-center gap-2.5 px-2 font-[640] tracking-[-0.01em]">
        <Compass />
        {!narrow && "Binnacle"}
      </Link>
      {sections.map(({ to, label, icon: Icon }) => (
        <Link
          key={to}
          to={to}
          activeOptions={{ exact: to === "/", includeSearch: false }}
          // Where the label stands there, the badge beside it is read too.
          aria-label={narrow ? label : undefined}
          title={narrow ? label : undefined}
          className="relative flex h-8 items-center gap-2.5 rounded px-2.5 text-ink-2 hover:bg-hover hover:text-ink aria-[current=page]:bg-hover aria-[current=page]:font-[550] aria-[current=page]:text-ink"
        >
          <Icon size={16} strokeWidth={1.75} aria-hidden className="shrink-0" />
          {!narrow && label}
          {to === "/alerts" && <AlertBadge className={narrow ? "absolute top-0 right-0" : "ml-auto"} />}
        </Link>
      ))}
      <div className={classNames("mt-auto flex items-center justify-between", !narrow && "pl-2.5")}>
        {!narrow && <BuildLabel />}
        {hasRoom && (
          <IconButton
            icon={narrow ? PanelLeftOpen : PanelLeftClose}
            label={narrow ? "Expand sidebar" : "Collapse sidebar"}
            onClick={() => rail.set(narrow ? "wide" : "narrow")}
          />
        )}
      </div>
    </nav>
  );
}

function BuildLabel() {
  const version = useQuery(healthQuery).data?.version;
  const edition = useQuery(editionQuery).data?.edition;
  return (
    <span className="truncate text-xs text-ink-3">
      {version}
      {edition !== undefined && <span className="capitalize"> · {edition}</span>}
    </span>
  );
}

/** The product's mark. */
function Compass({ size = 20 }: { size?: number }) {
  return (
    <svg viewBox="0 0 20 20" width={size} height={size} fill="none" aria-hidden className="shrink-0">
      <circle cx="10" cy="10" r="8.2" stroke="currentColor" strokeWidth="1.5" />
      <path d="M10 3.6l2.3 6.4H7.7z" fill="currentColor" />
      <path d="M10 16.4L7.7 10h4.6z" stroke="currentColor" strokeWidth="1.1" strokeLinejoin="round" />
    </svg>
  );
}
