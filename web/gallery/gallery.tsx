import { ChartShelves } from "./charts.tsx";
import { ControlShelves } from "./controls.tsx";
import { FieldShelves } from "./fields.tsx";
import { ListShelves } from "./lists.tsx";
import { RowShelves } from "./rows.tsx";
import { StateShelves } from "./states.tsx";
import { WindowShelves } from "./windows.tsx";
import { WordShelves } from "./words.tsx";

/** Every shared component in every state. */
export function Gallery() {
  return (
    <main className="mx-auto max-w-[96rem] px-4 pb-16 md:px-6">
      <h1 className="pt-6 text-xl font-semibold">Components</h1>
      <WordShelves />
      <ControlShelves />
      <FieldShelves />
      <WindowShelves />
      <StateShelves />
      <ChartShelves />
      <RowShelves />
      <ListShelves />
    </main>
  );
}
