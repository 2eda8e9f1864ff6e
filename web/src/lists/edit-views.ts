import { VIEW_BOUNDS, type SavedView } from "./saved-views.ts";

export function writeViews(views: readonly SavedView[]): string {
  return views.length === 0 ? "" : JSON.stringify(views.map(({ name, query }) => [name, query]));
}

/** The view of that name; capitals do not matter. */
export function findView(views: readonly SavedView[], name: string): SavedView | undefined {
  return views.find((view) => isSame(view.name, name));
}

function isSame(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase();
}

/** With this view, in the place of the one that has its name. */
export function withView(views: readonly SavedView[], { name, query }: SavedView): SavedView[] {
  const view = { name: name.trim(), query };
  const place = views.findIndex((each) => isSame(each.name, name));
  return place === -1 ? [...views, view] : views.with(place, view);
}

export function renameView(views: readonly SavedView[], from: string, to: string): SavedView[] {
  return views.map((view) => (view.name === from ? { ...view, name: to.trim() } : view));
}

export function withoutView(views: readonly SavedView[], name: string): SavedView[] {
  return views.filter((view) => view.name !== name);
}

/** Why what is shown cannot be saved under this name. */
export function saveFault(views: readonly SavedView[], { name, query }: SavedView): string | undefined {
  if (name.trim() === "") return "Enter a name.";
  if (query.length > VIEW_BOUNDS.queryLength) return "The filters are too long to save. Shorten the search text.";
  if (views.length >= VIEW_BOUNDS.count && findView(views, name) === undefined)
    return `You have ${VIEW_BOUNDS.count} saved views. Delete or replace one.`;
  return undefined;
}

/** Why a view cannot be renamed so. */
export function renameFault(views: readonly SavedView[], from: string, to: string): string | undefined {
  if (to.trim() === "") return "Enter a name.";
  const taken = findView(views, to);
  return taken !== undefined && taken.name !== from ? "Another view has this name." : undefined;
}
