//! JSON Schema, draft 2020-12, of results.

use serde_json::{Map, Value, json};

use super::shape::{Field, Shape, Shaped};

/// JSON Schema of a type such as [`Summary`](super::Summary). The keyword `unit` has the base unit
/// of a number, `title` the name of a table's type.
pub fn json_schema<T: Shaped>() -> Value {
    let mut schema = schema_of(T::SHAPE);
    schema["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    schema
}

fn schema_of(shape: Shape) -> Value {
    match shape {
        Shape::Number => json!({"type": "number"}),
        Shape::Whole => json!({"type": "integer"}),
        Shape::Word => json!({"type": "string"}),
        Shape::Flag => json!({"type": "boolean"}),
        Shape::Table(title, fields) => table(title, fields),
        Shape::Named(_, inside) => {
            json!({"type": "object", "additionalProperties": schema_of(*inside)})
        }
        Shape::List(inside) => json!({"type": "array", "items": schema_of(*inside)}),
        Shape::Pair => {
            json!({"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2})
        }
        Shape::Maybe(inside) => json!({"anyOf": [schema_of(*inside), {"type": "null"}]}),
    }
}

fn table(title: &str, fields: &[Field]) -> Value {
    let property = |field: &Field| {
        let mut schema = match field.shape {
            Shape::Maybe(inside) if field.may_lack => schema_of(*inside),
            shape => schema_of(shape),
        };
        schema["description"] = json!(field.meaning);
        if let Some(unit) = field.unit {
            schema["unit"] = json!(unit);
        }
        (field.name.to_owned(), schema)
    };
    let always = fields.iter().filter(|field| !field.may_lack);
    json!({
        "title": title,
        "type": "object",
        "properties": fields.iter().map(property).collect::<Map<_, _>>(),
        "required": always.map(|field| field.name).collect::<Vec<_>>(),
        "additionalProperties": false,
    })
}
