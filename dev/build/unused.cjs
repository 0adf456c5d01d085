// Stands in a bundle for a package that is not used. Calling anything of it fails.
