//! The kernels that expressions on structured items are made of: the one list of them.

use serde::{Deserialize, Serialize};

use crate::data::{Collection, Graph, Item, ItemKind, Series, Tree};
use crate::error::Result;
use crate::kernel::generative::{MixtureFisher, PairHiddenMarkov, SeriesFisher, StringFisher};
use crate::kernel::graph::{
    EdgeHistogram, Graphlets, LabelledRandomWalk, OptimalAssignment, Propagation, RandomWalk, ShortestPath,
    VertexHistogram, WeisfeilerLehman,
};
use crate::kernel::image::JitteredPictures;
use crate::kernel::logic::{CommonModels, Conjunctions, Dnf, MonotoneConjunctions};
use crate::kernel::series::{Autocorrelation, DynamicTimeWarping, GlobalAlignment};
use crate::kernel::set::{BestMatch, SetSum};
use crate::kernel::string::{
    AllSubsequences, Blended, FixedSubsequences, Gappy, LocalAlignment, LocalityImproved, Mismatch, Spectrum,
    Subsequences, WeightedDegree,
};
use crate::kernel::structure::StructureExpression;
use crate::kernel::text::{BagOfWords, CommonTerms, TfIdf};
use crate::kernel::tree::{PartialTree, SubsetTree, Subtree};
use crate::kernel::{DigestKernel, FeatureMap, Kernel, Normalised, eval_digests, eval_features};

/// Hands all kernels to a macro: what they compare (kind, view of one item, type that it is seen as), and for each whether it lists
/// features or prepares digests.
macro_rules! structure_kernels {
    ($use:ident) => {
        $use! {
            Strings, String, str {
                Spectrum by FeatureMap, Blended by FeatureMap, Mismatch by FeatureMap, Gappy by FeatureMap,
                BagOfWords by FeatureMap, TfIdf by FeatureMap,
                Subsequences by DigestKernel, FixedSubsequences by DigestKernel, AllSubsequences by DigestKernel,
                WeightedDegree by DigestKernel, LocalityImproved by DigestKernel, LocalAlignment by DigestKernel,
                CommonTerms by FeatureMap,
                MonotoneConjunctions by DigestKernel, Conjunctions by DigestKernel, Dnf by DigestKernel,
                CommonModels by DigestKernel, PairHiddenMarkov by DigestKernel, StringFisher by DigestKernel,
            }
            Trees, Tree, Tree {
                Subtree by FeatureMap, SubsetTree by DigestKernel, PartialTree by DigestKernel,
            }
            Graphs, Graph, Graph {
                WeisfeilerLehman by FeatureMap, ShortestPath by FeatureMap, RandomWalk by FeatureMap,
                Graphlets by FeatureMap, VertexHistogram by FeatureMap, EdgeHistogram by FeatureMap,
                Propagation by FeatureMap,
                OptimalAssignment by DigestKernel, LabelledRandomWalk by DigestKernel,
            }
            Series, Series, Series {
                GlobalAlignment by DigestKernel, DynamicTimeWarping by DigestKernel, Autocorrelation by DigestKernel,
                SetSum by DigestKernel, BestMatch by DigestKernel, JitteredPictures by DigestKernel,
                SeriesFisher by DigestKernel, MixtureFisher by DigestKernel,
            }
        }
    };
}
pub(crate) use structure_kernels;

/// How a kernel is written.
pub(super) trait Named {
    /// Its name, and the parameters that are not at their defaults.
    fn call(&self) -> (&'static str, Vec<(&'static str, String)>);
}

macro_rules! eval_by {
    (FeatureMap, $kernel:expr, $x:ident, $z:ident) => {
        eval_features($kernel, $x, $z)
    };
    (DigestKernel, $kernel:expr, $x:ident, $z:ident) => {
        eval_digests($kernel, $x, $z)
    };
}

macro_rules! leaf {
    ($($kind:ident, $one:ident, $view:ty { $($kernel:ident by $by:ident),* $(,)? })*) => {
        /// A kernel on structured items that is no combination of others.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub(crate) enum Leaf {
            $($($kernel($kernel),)*)*
        }

        impl Leaf {
            pub(crate) fn kind(&self) -> ItemKind {
                match self {
                    $($(Leaf::$kernel(_) => ItemKind::$kind,)*)*
                }
            }

            pub(super) fn call(&self) -> (&'static str, Vec<(&'static str, String)>) {
                match self {
                    $($(Leaf::$kernel(kernel) => kernel.call(),)*)*
                }
            }

            /// The kernel with what the items decide filled in; they must be of its kind.
            pub(super) fn learn(&self, items: &Collection, weights: Option<&[f64]>) -> Result<Leaf> {
                match (self, items) {
                    $($((Leaf::$kernel(kernel), Collection::$kind(items)) => {
                        let items: Vec<&$view> = items.iter().map(std::borrow::Borrow::borrow).collect();
                        Ok(Leaf::$kernel($by::<$view>::learn(kernel, &items, weights)?))
                    })*)*
                    _ => items.check_kind(self.kind()).map(|()| self.clone()),
                }
            }

            /// k(x, z); NaN for items of another kind.
            pub(super) fn eval(&self, x: Item<'_>, z: Item<'_>) -> Result<f64> {
                match (self, x, z) {
                    $($((Leaf::$kernel(kernel), Item::$one(x), Item::$one(z)) => {
                        Kernel::<$view>::try_eval(kernel, x, z)
                    })*)*
                    _ => Ok(f64::NAN),
                }
            }

            /// k(x, z) at unit length, as Gram matrices have it; NaN for items of another kind.
            pub(super) fn eval_unit(&self, x: Item<'_>, z: Item<'_>) -> Result<f64> {
                match (self, x, z) {
                    $($((Leaf::$kernel(kernel), Item::$one(x), Item::$one(z)) => {
                        let kernel = Normalised::new(kernel.clone());
                        eval_by!($by, &kernel, x, z)
                    })*)*
                    _ => Ok(f64::NAN),
                }
            }

            /// k(x, x); NaN for an item of another kind.
            pub(super) fn eval_diagonal(&self, x: Item<'_>) -> Result<f64> {
                match (self, x) {
                    $($((Leaf::$kernel(kernel), Item::$one(x)) => {
                        Kernel::<$view>::try_eval_diagonal(kernel, x)
                    })*)*
                    _ => Ok(f64::NAN),
                }
            }
        }

        $($(
            impl From<$kernel> for StructureExpression {
                fn from(kernel: $kernel) -> Self {
                    StructureExpression::of(Leaf::$kernel(kernel))
                }
            }
        )*)*
    };
}
structure_kernels!(leaf);
