/** Around the rows of a list: on a phone these reach to the edges of the screen, and so does the line below the last. */
export const ROWS_CLASS =
  "relative border-b border-line max-md:border-b-0 max-md:after:absolute max-md:after:-inset-x-4 max-md:after:bottom-0 max-md:after:border-b max-md:after:border-line";

/** A row of the long lists, whose link covers all of it; on a phone it has two lines. */
export const ROW_CLASS =
  "relative h-full grid-cols-[minmax(0,1fr)_auto] border-t border-line max-md:-mx-4 max-md:content-center max-md:gap-y-0.5 max-md:px-4 hover:bg-hover has-[a:focus-visible]:outline-2 has-[a:focus-visible]:-outline-offset-2 has-[a:focus-visible]:outline-accent md:px-2.5";
