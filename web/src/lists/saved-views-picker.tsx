import { lazy, Suspense, useState } from "react";
import { usePreference } from "../app/preference.ts";
import { usePreferences, type ViewedList } from "../app/preferences.ts";
import { SavedViewsButton } from "./saved-views-button.tsx";

const load = () => import("./saved-views-menu.tsx");
const near = () => void load();
const SavedViewsMenu = lazy(() => load().then((module) => ({ default: module.SavedViewsMenu })));

interface Properties {
  list: ViewedList;
  /** What the address says of the list, the chosen host included. */
  shown: Readonly<Record<string, unknown>>;
}

/** The saved views of a list. Without any, the menu appears only when the pointer or the focus nears its button. */
export function SavedViews({ list, shown }: Properties) {
  const hasSome = usePreference(usePreferences().views[list]) !== "";
  const [wanted, setWanted] = useState<"shown" | "open" | undefined>(hasSome ? "shown" : undefined);
  // It stays when the last view is deleted: that can be undone.
  if (hasSome && wanted === undefined) setWanted("shown");
  const closed = (
    <SavedViewsButton
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={near}
      onFocus={near}
      onClick={() => setWanted("open")}
      name={undefined}
    />
  );
  if (wanted === undefined) return closed;
  return (
    <Suspense fallback={closed}>
      <SavedViewsMenu list={list} shown={shown} startsOpen={wanted === "open"} />
    </Suspense>
  );
}
