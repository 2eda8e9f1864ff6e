/** A row of the long lists, whose link covers all of it; on a phone it has two lines. */
export const ROW_CLASS =
  "relative h-full grid-cols-[minmax(0,1fr)_auto] border-t border-line max-md:-mx-4 max-md:content-center max-md:gap-y-0.5 max-md:px-4 hover:bg-hover has-[a:focus-visible]:outline-2 has-[a:focus-visible]:-outline-offset-2 has-[a:focus-visible]:outline-accent md:px-2.5";
