//! The style sheet.

/// The style sheet of all charts. A page needs it once; a standalone file contains it.
///
/// It uses no CSS variables, because not every SVG viewer supports them.
pub const STYLE: &str = "\
.chart{font:12px system-ui,sans-serif}
.chart text{fill:#1f2328}
.chart .dim{fill:#59636e}
.chart .title{font-size:14px;font-weight:600}
.chart .heading{font-weight:600}
.chart .over{paint-order:stroke;stroke:#fff;stroke-width:4px}
.chart .paper{fill:#fff}
.chart .grid{stroke:#dfe3e8}
.chart .zero{stroke:#818b98}
.chart .mark{stroke:#818b98;stroke-dasharray:5 4}
.chart .line{fill:none;stroke-width:2;stroke-linejoin:round}
.chart .band{opacity:.16}
.chart .faint{opacity:.35}
.chart .error{stroke:#1f2328;stroke-width:1.5}
.chart .s0{stroke:#0b62c4}.chart .f0{fill:#0b62c4}
.chart .s1{stroke:#c2410c}.chart .f1{fill:#c2410c}
.chart .s2{stroke:#15803d}.chart .f2{fill:#15803d}
.chart .s3{stroke:#7e3fb8}.chart .f3{fill:#7e3fb8}
@media (prefers-color-scheme:dark){
.chart text{fill:#e6edf3}
.chart .dim{fill:#9aa5b1}
.chart .paper{fill:#14181d}
.chart .over{stroke:#14181d}
.chart .grid{stroke:#2b323a}
.chart .zero,.chart .mark{stroke:#7d8792}
.chart .error{stroke:#e6edf3}
.chart .s0{stroke:#58a6ff}.chart .f0{fill:#58a6ff}
.chart .s1{stroke:#ff9b5e}.chart .f1{fill:#ff9b5e}
.chart .s2{stroke:#56d06f}.chart .f2{fill:#56d06f}
.chart .s3{stroke:#c297ff}.chart .f3{fill:#c297ff}
}
";

/// The number of line colours.
pub(crate) const COLORS: usize = 4;
