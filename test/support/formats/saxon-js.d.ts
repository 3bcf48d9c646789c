/** What we use of saxon-js, which brings no types. */
declare module 'saxon-js' {
  type Transformed = { readonly principalResult: string };
  const SaxonJS: {
    transform(
      options: { stylesheetInternal: object; sourceText: string; destination: 'serialized' },
      execution: 'sync',
    ): Transformed;
  };
  export default SaxonJS;
}
