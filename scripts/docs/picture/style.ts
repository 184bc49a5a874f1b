/**
 * How the picture looks: its fonts, which every system has, and its colours, on a ground of its own, for light and for
 * dark surroundings.
 *
 * @module
 */

interface Colours {
  readonly ground: string;
  readonly edge: string;
  readonly zone: string;
  readonly box: string;
  readonly wire: string;
  readonly wireEdge: string;
  readonly strong: string;
  readonly quiet: string;
  readonly arrow: string;
  readonly refusal: string;
  readonly refusalEdge: string;
  readonly refusalText: string;
  readonly sandbox: string;
  readonly account: string;
}

const LIGHT: Colours = {
  ground: "#ffffff",
  edge: "#d0d7de",
  zone: "#f3f5f8",
  box: "#ffffff",
  wire: "#fff8e6",
  wireEdge: "#d9a520",
  strong: "#1b2330",
  quiet: "#4d5968",
  arrow: "#5d6b7c",
  refusal: "#fdeeee",
  refusalEdge: "#e0b4b4",
  refusalText: "#9b1c1c",
  sandbox: "#1f6f5c",
  account: "#2f5aa8",
};

const DARK: Colours = {
  ground: "#12171e",
  edge: "#333d49",
  zone: "#1a212a",
  box: "#222b36",
  wire: "#2e2818",
  wireEdge: "#b98d26",
  strong: "#e8edf3",
  quiet: "#aab6c4",
  arrow: "#8795a6",
  refusal: "#341f22",
  refusalEdge: "#6b3a3f",
  refusalText: "#ffb3b0",
  sandbox: "#5cc4a6",
  account: "#8bb0f5",
};

function rules(c: Colours): string {
  return [
    `.ground{fill:${c.ground};stroke:${c.edge}}`,
    `.zone{fill:${c.zone};stroke:none}`,
    `.step{fill:${c.box};stroke:${c.edge}}`,
    `.thread{fill:${c.box};stroke:${c.arrow};stroke-width:1.5}`,
    `.wire{fill:${c.wire};stroke:${c.wireEdge}}`,
    `.strong{fill:${c.strong};font-weight:600}`,
    `.plain{fill:${c.strong}}`,
    `.quiet{fill:${c.quiet}}`,
    `.arrow{fill:none;stroke:${c.arrow};stroke-width:1.6}`,
    `.head{fill:${c.arrow}}`,
    `.stub{fill:none;stroke:${c.refusalEdge};stroke-dasharray:3 3}`,
    `.refusal{fill:${c.refusal};stroke:${c.refusalEdge}}`,
    `.code{fill:${c.refusalText}}`,
    `.note{fill:${c.quiet};font-style:italic}`,
    `.sandbox{fill:${c.sandbox};font-weight:600}`,
    `.account{fill:${c.account};font-weight:600}`,
  ].join("");
}

/** The style sheet of the picture. */
export const STYLE: string = [
  ".sans{font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif}",
  ".mono{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,'Liberation Mono',monospace}",
  rules(LIGHT),
  `@media (prefers-color-scheme:dark){${rules(DARK)}}`,
].join("\n");
