import { useRef, useState } from "react";
import { usePreference } from "../app/preference.ts";
import { usePreferences, type ViewedList } from "../app/preferences.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field, TextInput } from "../ui/field.tsx";
import { findView, renameView, saveFault, withoutView, withView, writeViews } from "./edit-views.ts";
import { readViews, VIEW_BOUNDS, type SavedView } from "./saved-views.ts";
import { SavedViewRow } from "./saved-view-row.tsx";

interface Properties {
  list: ViewedList;
  /** What is shown, as it would be saved. */
  query: string;
  /** What the reader came for: it has the focus. */
  startsWith: "save" | "edit";
  onClose: () => void;
}

/** Saves what is shown under a name; renames, replaces and deletes saved views, each with a way back. */
export function SavedViewsDialog({ list, query, startsWith, onClose }: Properties) {
  const preference = usePreferences().views[list];
  const views = readViews(usePreference(preference));
  const [name, setName] = useState("");
  const [showsFault, setShowsFault] = useState(false);
  const [last, setLast] = useState<{ done: string; before: string } | undefined>(undefined);
  const first = useRef<HTMLInputElement>(null);
  const saved = useRef<HTMLUListElement>(null);
  const undo = useRef<HTMLButtonElement>(null);
  const fault = saveFault(views, { name, query });
  const replaces = findView(views, name) !== undefined;

  function change(next: readonly SavedView[], done: string): void {
    setLast({ done, before: preference.get() });
    preference.set(writeViews(next));
    // What was pressed may be gone; the way back is next.
    requestAnimationFrame(() => undo.current?.focus());
  }

  function takeBack(before: string): void {
    preference.set(before);
    setLast(undefined);
    requestAnimationFrame(() => (saved.current ?? first.current)?.focus());
  }

  return (
    <Dialog open onClose={onClose} title="Saved views" initialFocus={startsWith === "save" ? first : saved} hasChanges={name.trim() !== ""}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setShowsFault(true);
          if (fault !== undefined) return first.current?.focus();
          preference.set(writeViews(withView(views, { name, query })));
          onClose();
        }}
      >
        <Field
          label="Save this view as"
          isRequired
          hint="Filters, order, columns and host. Kept in this browser."
          fault={showsFault ? fault : undefined}
        >
          {(control) => (
            <div className="flex gap-2">
              <TextInput
                {...control}
                ref={first}
                className="max-md:h-10"
                maxLength={VIEW_BOUNDS.nameLength}
                value={name}
                onChange={(event) => setName(event.target.value)}
              />
              <Button type="submit" kind="primary" className="max-md:h-10">
                {replaces ? "Replace view" : "Save view"}
              </Button>
            </div>
          )}
        </Field>
      </form>
      {views.length > 0 && (
        <ul ref={saved} tabIndex={-1} aria-label="Saved views" className="mt-2 border-b border-line outline-none">
          {views.map((view) => (
            <SavedViewRow
              key={view.name}
              view={view}
              views={views}
              isShown={view.query === query}
              onReplace={() => change(withView(views, { ...view, query }), `Replaced ${view.name}`)}
              onRename={(to) => change(renameView(views, view.name, to), `Renamed ${view.name} to ${to.trim()}`)}
              onDelete={() => change(withoutView(views, view.name), `Deleted ${view.name}`)}
            />
          ))}
        </ul>
      )}
      <div role="status" className="mt-2 flex min-h-8 items-center gap-2 max-md:min-h-10">
        {last !== undefined && (
          <>
            <span dir="auto" className="min-w-0 wrap-anywhere text-ink-2">
              {last.done}
            </span>
            <Button ref={undo} kind="quiet" className="max-md:h-10" onClick={() => takeBack(last.before)}>
              Undo
            </Button>
          </>
        )}
      </div>
    </Dialog>
  );
}
