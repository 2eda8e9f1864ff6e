import { useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useMemo, useState } from "react";
import { usePreference } from "../app/preference.ts";
import { usePreferences, type ViewedList } from "../app/preferences.ts";
import { parseSearch } from "../app/search-params.ts";
import { Menu } from "../ui/menu.tsx";
import { SavedViewsButton } from "./saved-views-button.tsx";
import { readViews, viewQuery } from "./saved-views.ts";

const SavedViewsDialog = lazy(() => import("./saved-views-dialog.tsx").then((module) => ({ default: module.SavedViewsDialog })));

interface Properties {
  list: ViewedList;
  /** What the address says of the list, the chosen host included. */
  shown: Readonly<Record<string, unknown>>;
  /** It was asked for before it was loaded. */
  startsOpen: boolean;
}

/** Opens a saved view of a list, and saves the one that is shown. Views are kept in the browser. */
export function SavedViewsMenu({ list, shown, startsOpen }: Properties) {
  const navigate = useNavigate();
  const [asked, setAsked] = useState<"save" | "edit" | undefined>(undefined);
  const text = usePreference(usePreferences().views[list]);
  const views = useMemo(() => readViews(text), [text]);
  const query = viewQuery(shown);
  const current = views.find((view) => view.query === query);

  function open(wanted: string): void {
    const search = parseSearch(wanted);
    // The host belongs to the view: without one it shows all hosts.
    void navigate({ to: ".", search: { ...search, agent_id: search["agent_id"] } });
  }

  return (
    <>
      <Menu
        align="end"
        startsOpen={startsOpen}
        trigger={<SavedViewsButton name={current?.name} />}
        rows={[
          ...views.map((view) => ({
            key: `view ${view.name}`,
            label: <bdi className="truncate">{view.name}</bdi>,
            mark: "one" as const,
            chosen: view === current,
            part: "Saved views",
            run: () => open(view.query),
          })),
          { key: "save", label: "Save this view", part: "", run: () => setAsked("save") },
          ...(views.length === 0 ? [] : [{ key: "edit", label: "Edit saved views", part: "", run: () => setAsked("edit") }]),
        ]}
      />
      {asked !== undefined && (
        <Suspense>
          <SavedViewsDialog list={list} query={query} startsWith={asked} onClose={() => setAsked(undefined)} />
        </Suspense>
      )}
    </>
  );
}
