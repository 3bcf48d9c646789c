/**
 * What is read of a file from a stranger. Nothing of it is trusted, and a small file can expand a thousandfold: no step is done
 * before its cost is bounded.
 */

/** Bytes of a file, and of each document in it once it is decompressed. An invoice of 500 lines is 335 KB of XML; larger files contain images or contracts. */
export const FILE_BYTES = 20 * 1024 * 1024;

/** Bytes that are decompressed of one file in total, streams of a PDF or documents in a ZIP file: three times the largest file. */
export const UNPACKED_BYTES = 64 * 1024 * 1024;

/** Documents of one ZIP file, and entries that it may have for each of them. Merchants send a handful, and each is shown on a page of its own. */
export const DOCUMENTS = 200;

/** Levels of nested elements. The deepest of the formats and their signatures is on a level below twenty. */
export const XML_DEPTH = 64;

/** Elements and attributes of a document. A line has about forty, so there is room for thousands of lines. */
export const XML_ELEMENTS = 300_000;

/** Objects of a PDF that are searched for the invoice. A document of a hundred pages has a few thousand. */
export const PDF_OBJECTS = 100_000;
